#include "sim/sweep/plan.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/api/json_as_text.h"
#include "reports/recording/hash.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/sweep/scale_rates.h"

namespace aftershock::sim::sweep {
namespace {

/// "every=30min, workers=8": the last parts of pointers tell people enough, unless two are alike.
std::string label_of(const Point& point, bool with_configs) {
  std::string label;
  for (const auto& [name, value] : point) {
    if (!with_configs && name.ends_with("/policy/config")) {
      continue;
    }
    const auto alike = std::ranges::count_if(
        point, [&](const auto& other) { return last_name(other.first) == last_name(name); });
    label += fmt::format("{}{}={}", label.empty() ? "" : ", ", alike > 1 ? name : last_name(name),
                         value);
  }
  return label;
}

/// Where the policy tells cells apart, its whole configuration is not in their labels.
std::vector<std::string> labels_of(const std::vector<Point>& points) {
  std::vector<std::string> labels;
  for (const bool with_configs : {false, true}) {
    labels.clear();
    for (const Point& point : points) {
      labels.push_back(label_of(point, with_configs));
    }
    std::set<std::string_view> apart(labels.begin(), labels.end());
    if (apart.size() == points.size() && !apart.contains("")) {
      break;
    }
  }
  return labels;
}

/// Whether the point names external policies.
bool names_source(const scenario::ReadOptions& options, const Point& point) {
  return options.policies != nullptr &&
         std::ranges::find(point, Point::value_type("policy", options.policies->title())) !=
             point.end();
}

scenario::ReadOptions with_point(scenario::ReadOptions options, const Point& point) {
  const bool from_elsewhere = names_source(options, point);
  for (const auto& [name, value] : point) {
    if (name == "policy") {
      if (from_elsewhere) {
        continue;  // the scenario says which, and with what configuration
      }
      // `parse_dimension` has refused what names none.
      options.policy = std::get<scenario::PolicySpec>(scenario::policy_named(value));
      options.policy_from = "policy";
    } else if (name != kRates) {
      options.sets.push_back(fmt::format("{}={}", name, value));
    }
  }
  return options;
}

/// The scenario of a cell: its rates change after all else, so that a rate that was set changes
/// too.
scenario::ReadResult read_cell(const std::string& path, const scenario::ReadOptions& options,
                               const Point& point) {
  scenario::ReadResult read = scenario::read_scenario_file(path, with_point(options, point));
  const auto rates = std::ranges::find(point, kRates, &Point::value_type::first);
  auto* first = std::get_if<scenario::ReadScenario>(&read);
  if (rates == point.end() || first == nullptr) {
    return read;
  }
  nlohmann::ordered_json scaled = std::move(*first->scenario.resolved);
  if (const auto problem = scale_rates(scaled, *rate_factor(rates->second))) {
    scenario::ScenarioError error;
    error.file = scenario::file_title(path);
    error.message = *problem;
    return std::vector<scenario::ScenarioError>{std::move(error)};
  }
  scenario::ReadOptions same;
  same.policies = first->scenario.policies;
  scenario::ReadResult again = scenario::read_scenario_text(policies::text_from_json(scaled),
                                                            scenario::file_title(path), same);
  if (auto* second = std::get_if<scenario::ReadScenario>(&again)) {
    second->warnings = std::move(first->warnings);  // these have places in the file
  }
  return again;
}

}  // namespace

std::string policy_of(const scenario::Scenario& scenario) {
  if (scenario.policies != nullptr) {
    return scenario.policies->title();
  }
  const scenario::PolicySpec* policy = !scenario.jobs.empty() ? &scenario.jobs.front().policy
                                       : !scenario.experiments.empty()
                                           ? &scenario.experiments.front().policy
                                           : nullptr;
  return policy == nullptr         ? std::string()
         : policy->profile.empty() ? policy->name
                                   : fmt::format("{}@{}", policy->name, policy->profile);
}

PlanResult make_plan(const std::string& path, const scenario::ReadOptions& options,
                     const std::vector<Point>& points) {
  PlanResult result;
  // Where one point names them the others mean the library's.
  scenario::ReadOptions library = options;
  if (std::ranges::any_of(points,
                          [&](const Point& point) { return names_source(options, point); })) {
    library.policies = nullptr;
  }
  const std::vector<std::string> labels = labels_of(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    auto read = read_cell(path, names_source(options, point) ? options : library, point);
    PlannedCell cell;
    cell.about.label = labels[i];
    cell.about.parameters = point;
    if (auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
      result.errors = std::move(*errors);
      result.wrong_point = point;
      return result;
    }
    auto& [scenario, warnings, check] = std::get<scenario::ReadScenario>(read);
    for (std::string& warning : warnings) {
      if (std::ranges::find(result.warnings, warning) == result.warnings.end()) {
        result.warnings.push_back(std::move(warning));
      }
    }
    if (result.plan.cells.empty()) {
      result.plan.scenario = scenario.name;
      result.plan.first_seed = scenario.seed;
    }
    cell.about.policy = policy_of(scenario);
    cell.text = policies::text_from_json(*scenario.resolved);
    cell.name = scenario::file_title(path);
    cell.policies = scenario.policies;
    result.plan.cells.push_back(std::move(cell));
  }
  return result;
}

std::shared_ptr<policies::PolicySource> policies_of(const PlannedCell& cell,
                                                    const scenario::ReadOptions& options) {
  if (options.policies != nullptr) {
    return options.policies;
  }
  scenario::ReadOptions same;
  same.installed = options.installed;
  const auto read = scenario::read_scenario_text(cell.text, cell.name, same);
  const auto* checked = std::get_if<scenario::ReadScenario>(&read);
  return checked == nullptr ? nullptr : checked->scenario.policies;
}

scenario::Scenario scenario_of(const PlannedCell& cell) {
  scenario::ReadOptions options;
  options.policies = cell.policies;
  auto read = scenario::read_scenario_text(cell.text, cell.name, options);
  auto* checked = std::get_if<scenario::ReadScenario>(&read);
  AFTERSHOCK_ASSERT(checked != nullptr);
  return std::move(checked->scenario);
}

std::uint64_t digest_of(const Plan& plan) {
  reports::RollingHash hash;
  for (const PlannedCell& cell : plan.cells) {
    hash.add(cell.text);
    hash.add(cell.about.label);
    if (cell.policies != nullptr) {
      hash.add(cell.policies->title());
    }
  }
  for (const std::string& pointer : plan.pointers) {
    hash.add(pointer);
  }
  hash.add(fmt::format("{}", plan.first_seed));
  return hash.value();
}

}  // namespace aftershock::sim::sweep
