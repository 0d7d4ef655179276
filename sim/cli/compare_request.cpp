#include "sim/cli/compare_request.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/cli/command.h"
#include "sim/cli/many_runs.h"
#include "sim/scenario/parse_expression.h"
#include "sim/scenario/policy_request.h"
#include "sim/sweep/hindsight.h"

namespace aftershock::sim::cli {
namespace {

constexpr const char* kUsualPairs = "30";

/// The policies to compare, as cells; the scenario's own first where one is named, or none.
std::optional<std::vector<Point>> policy_points(const std::vector<std::string>& policies,
                                                const std::string& from_elsewhere) {
  std::vector<Point> points;
  if (policies.size() + (from_elsewhere.empty() ? 0 : 1) < 2) {
    points.emplace_back();
  }
  for (const std::string& policy : policies) {
    if (!policy_named(policy)) {
      complain(fmt::format("--policy {}: a profile is missing behind the @", in_quotes(policy)));
      return std::nullopt;
    }
    points.push_back({{"policy", policy}});
  }
  if (!from_elsewhere.empty()) {
    points.push_back({{"policy", from_elsewhere}});
  }
  return points;
}

/// Whether `--policy` brought a policy that the scenario has configured, without what it has set.
bool lost_config(const PlannedCell& own, const PlannedCell& cell) {
  const auto name = [](const PlannedCell& of) {
    return of.about.policy.substr(0, of.about.policy.find('@'));
  };
  const auto config = [](const PlannedCell& of) {
    const nlohmann::json::json_pointer place("/jobs/0/policy/config");
    return policies::json_from_text(of.text).value(place, nlohmann::json::object());
  };
  return own.about.parameters.empty() && !cell.about.parameters.empty() &&
         name(own) == name(cell) && !config(own).empty() && config(cell).empty();
}

/// Cells are called by what differs: where that is the policy alone, by its full name.
void name_cells(std::vector<PlannedCell>& cells) {
  std::set<std::string> names;
  const bool policies_alone = std::ranges::all_of(cells, [](const PlannedCell& cell) {
    const auto& about = cell.about.parameters;
    return about.empty() || (about.size() == 1 && about.front().first == "policy");
  });
  for (PlannedCell& cell : cells) {
    if (policies_alone) {
      cell.about.label = cell.about.policy;
      cell.about.label += lost_config(cells.front(), cell) ? ", its defaults" : "";
    } else if (cell.about.label.empty()) {
      cell.about.label = "as it is";
    }
    if (!names.insert(cell.about.label).second) {
      cell.about.label += fmt::format(" ({})", names.size() + 1);
    }
  }
}

std::optional<std::string> goal_of(const CompareArguments& arguments, const Plan& plan) {
  const std::string goal = arguments.goal.empty() ? "ettr" : arguments.goal;
  if (std::ranges::find(plan.pointers, goal) != plan.pointers.end()) {
    return goal;
  }
  const auto problem = check_one_of(goal, reports::metric_names(), "metric");
  if (problem) {
    complain(fmt::format("--goal: {}{}", problem->message,
                         problem->nearest.empty()
                             ? "; expected a metric, or what a --metric names"
                             : fmt::format("; did you mean {}?", in_quotes(problem->nearest))));
    return std::nullopt;
  }
  return goal;
}

/// Reads the cells once more for what the comparison wants to know of them.
void look_at(const std::vector<PlannedCell>& cells, CompareRequest& request) {
  for (const PlannedCell& cell : cells) {
    ReadOptions options;
    options.policies = cell.policies;
    const auto read = read_scenario_text(cell.text, cell.name, options);
    const auto* checked = std::get_if<ReadScenario>(&read);
    const auto costs = checked == nullptr ? std::nullopt : start_costs(checked->scenario);
    if (!costs) {
      request.costs.clear();
      return;
    }
    request.costs.push_back(*costs);
    request.moving_faults = moving_faults(checked->scenario);
  }
}

}  // namespace

std::optional<CompareRequest> understood(const CompareArguments& arguments) {
  SweepArguments asked = arguments.sweep;
  asked.path = arguments.paths.front();
  if (asked.runs.empty()) {
    asked.runs = kUsualPairs;
  }
  const ScenarioOptions& scenario = arguments.sweep.scenario;
  const std::string from_elsewhere =
      printable(scenario.policy_cmd.empty() ? scenario.policy_lib : scenario.policy_cmd);
  // Two builds ask one and the same policy.
  const auto bases =
      policy_points(arguments.policies, arguments.against.empty() ? from_elsewhere : std::string());
  auto sweep = bases ? cli::understood(asked, *bases) : std::nullopt;
  if (!sweep) {
    return std::nullopt;
  }
  CompareRequest request;
  request.sweep = *std::move(sweep);
  Plan& plan = request.sweep.plan;
  if (plan.cells.size() < 2 && arguments.against.empty()) {
    complain(
        "there is nothing to compare with: give --policy NAME[@PROFILE] (twice, or once against "
        "the scenario's own), --vary, or --against ANOTHER_BUILD");
    return std::nullopt;
  }
  name_cells(plan.cells);
  auto goal = goal_of(arguments, plan);
  if (!goal) {
    return std::nullopt;
  }
  request.goal = *std::move(goal);
  if (!arguments.pair.empty()) {
    const auto seed = whole_number("--pair", arguments.pair, plan.first_seed,
                                   plan.first_seed + plan.replicas - 1);
    if (!seed) {
      return std::nullopt;
    }
    request.replica = static_cast<std::uint32_t>(*seed - plan.first_seed);
  }
  look_at(plan.cells, request);
  return request;
}

}  // namespace aftershock::sim::cli
