#include "sim/advise/unlike_choices.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/advise/accepted.h"

namespace aftershock::sim::advise {
namespace {

/// Whether with values of a dimension the scenario differs in a way, wherever they stand.
bool changes(const scenario::Scenario& scenario, const sweep::Dimension& dimension,
             bool (*differ)(const scenario::Scenario&, const scenario::Scenario&)) {
  return std::ranges::any_of(dimension.points, [&](const std::vector<std::string>& point) {
    std::vector<std::pair<std::string, std::string>> sets;
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (dimension.names[i].starts_with('/')) {
        sets.emplace_back(dimension.names[i], point[i]);
      }
    }
    const auto changed = with_values(scenario, sets);
    return changed && differ(scenario, *changed);
  });
}

/// The first place of a dimension whose values make the scenario differ in a way. A policy is named
/// without a place, and leaves a job its size and its length.
std::optional<std::string> place_that_changes(const scenario::Scenario& scenario,
                                              std::span<const sweep::Dimension> dimensions,
                                              bool (*differ)(const scenario::Scenario&,
                                                             const scenario::Scenario&)) {
  for (const sweep::Dimension& dimension : dimensions) {
    const auto place = std::ranges::find_if(
        dimension.names, [](const std::string& name) { return name.starts_with('/'); });
    if (place != dimension.names.end() && changes(scenario, dimension, differ)) {
      return *place;
    }
  }
  return std::nullopt;
}

}  // namespace

bool other_sizes(const scenario::Scenario& one, const scenario::Scenario& other) {
  return !std::ranges::equal(
      one.jobs, other.jobs, [](const scenario::JobSpec& here, const scenario::JobSpec& there) {
        return here.workers == there.workers && here.step_us == there.step_us;
      });
}

bool other_steps(const scenario::Scenario& one, const scenario::Scenario& other) {
  return std::ranges::equal(one.jobs, other.jobs, {}, &scenario::JobSpec::workers,
                            &scenario::JobSpec::workers) &&
         !std::ranges::equal(one.jobs, other.jobs, {}, &scenario::JobSpec::step_us,
                             &scenario::JobSpec::step_us);
}

bool other_lengths(const scenario::Scenario& one, const scenario::Scenario& other) {
  const auto as_long = [](const auto& here, const auto& there) {
    return here.steps == there.steps;
  };
  return one.until_us != other.until_us || !std::ranges::equal(one.jobs, other.jobs, as_long) ||
         !std::ranges::equal(one.jobs, other.jobs, {}, &scenario::JobSpec::submit_us,
                             &scenario::JobSpec::submit_us) ||
         !std::ranges::equal(one.experiments, other.experiments, as_long);
}

std::optional<std::string> length_problem(const scenario::Scenario& scenario,
                                          std::span<const sweep::Dimension> dimensions) {
  const auto place = place_that_changes(scenario, dimensions, other_lengths);
  return place ? std::optional(fmt::format(
                     "--choose {}: the choices are runs of other lengths, and the shorter one is, "
                     "the less breaks in it; `aftershock sweep --vary` shows each",
                     *place))
               : std::nullopt;
}

std::optional<std::string> size_problem(const scenario::Scenario& scenario,
                                        std::span<const sweep::Dimension> dimensions,
                                        std::string_view goal) {
  if (goal.find("useful_accelerator_us") != goal.npos || goal.find("useful_steps") != goal.npos) {
    return std::nullopt;
  }
  const auto place = place_that_changes(scenario, dimensions, other_sizes);
  return place ? std::optional(fmt::format(
                     "--choose {}: the choices are jobs of other sizes, and useful work is a share "
                     "of a job's own; compare what they do, e.g. by --goal 'p(alive) > 95% and max "
                     "useful_accelerator_us'",
                     *place))
               : std::nullopt;
}

}  // namespace aftershock::sim::advise
