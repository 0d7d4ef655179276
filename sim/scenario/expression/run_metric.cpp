#include "sim/scenario/expression/run_metric.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "reports/results/metrics.h"
#include "sim/scenario/expression/summary_places.h"
#include "sim/scenario/text/error.h"
#include "sim/scenario/text/numerals.h"

namespace aftershock::sim::scenario {
namespace {

/// Common names for the measure of useful work.
constexpr std::string_view kUseful = "useful";
constexpr std::string_view kUsefulShare = "useful_share";

/// `list` is "/jobs/" or "/experiments/", `what` one of its elements.
std::optional<TextProblem> check_index(const std::string& pointer, std::string_view list,
                                       std::string_view what, std::size_t count) {
  if (!pointer.starts_with(list)) return std::nullopt;
  const std::string_view rest = std::string_view(pointer).substr(list.size());
  const auto index = parse_index(rest.substr(0, rest.find('/')));
  if (index && *index < count) return std::nullopt;
  return TextProblem{fmt::format("{} is outside the {}s of the summary", in_quotes(pointer), what),
                     count == 0 ? fmt::format("a place outside of {}: the scenario has none", list)
                     : count == 1 ? fmt::format("{}0", list)
                                  : fmt::format("{}0 to {}{}", list, list, count - 1),
                     {}};
}

/// The error in a name that matches no place, told of metrics as well.
TextProblem neither(std::string_view name, TextProblem no_place) {
  const auto metrics = reports::metric_names();
  const std::array<std::string_view, 2> nearest{no_place.nearest,
                                                policies::nearest_name(name, metrics)};
  no_place.nearest = std::string(policies::nearest_name(name, nearest));
  if (name.find('.') == std::string_view::npos) {
    no_place.expected += fmt::format("; or of the whole run {}", fmt::join(metrics, ", "));
  }
  return no_place;
}

/// As `run_metric`, whatever may stand there.
std::variant<std::string, TextProblem> place_or_metric(std::string_view name,
                                                       const Scenario& scenario, NameFirst first) {
  if (const std::string_view meant = metric_meant(name); meant != name) {
    return std::string(meant);
  }
  const bool metric = reports::metric_named(name).has_value();
  if (metric && first == NameFirst::kMetric) return std::string(name);
  auto place = metric_place(name, scenario);
  if (auto* problem = std::get_if<TextProblem>(&place)) {
    if (metric) return std::string(name);
    return name.starts_with('/') ? std::move(*problem) : neither(name, std::move(*problem));
  }
  const auto& pointer = std::get<std::string>(place);
  if (auto problem = check_part_of(pointer, scenario)) return std::move(*problem);
  // Of a list, such as a job's recoveries, nothing can be asked but how long it is.
  return metric && check_number_place(pointer) ? std::string(name) : pointer;
}

}  // namespace

std::string_view metric_meant(std::string_view word) {
  return word == kUseful ? kUsefulShare : word;
}

std::optional<TextProblem> check_part_of(const std::string& pointer, const Scenario& scenario) {
  if (auto problem = check_index(pointer, "/jobs/", "job", scenario.jobs.size())) return problem;
  return check_index(pointer, "/experiments/", "experiment", scenario.experiments.size());
}

std::optional<TextProblem> check_number(const std::string& metric, const Scenario& scenario) {
  const bool price =
      metric == "cost" || metric == "cost_per_useful_hour" || metric.starts_with("/cluster/cost");
  const bool priced = std::ranges::any_of(scenario.cluster.pools, [](const PoolSpec& pool) {
    return pool.price_per_node_hour || pool.reserved_price_per_node_hour;
  });
  if (price && !priced) {
    return TextProblem{fmt::format("no run has {}: nothing has a price", in_quotes(metric)),
                       "a \"price_per_node_hour\" in a pool of the cluster",
                       {}};
  }
  return metric.starts_with('/') ? check_number_place(metric) : std::nullopt;
}

std::variant<std::string, TextProblem> run_metric(std::string_view name, const Scenario& scenario,
                                                  NameFirst first) {
  auto metric = place_or_metric(name, scenario, first);
  if (const auto* known = std::get_if<std::string>(&metric)) {
    if (auto problem = check_number(*known, scenario)) return std::move(*problem);
  }
  return metric;
}

}  // namespace aftershock::sim::scenario
