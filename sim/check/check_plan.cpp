#include "sim/check/check_plan.h"

#include <algorithm>
#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/check/files.h"
#include "sim/scenario/faults/randomness.h"

namespace aftershock::sim::check {
namespace {

reports::UnusableFile unusable_file(const std::string& path, const scenario::ScenarioError& error) {
  reports::UnusableFile told{path, 0, 0, scenario::format(error)};
  // The error may stand in a file that this one extends, or on the command line.
  if (error.line > 0) {
    told = {plain_path(error.file), error.line, error.column, std::move(told.message)};
  }
  return told;
}

bool has_tag(const scenario::Scenario& scenario, const std::vector<std::string>& wanted) {
  return wanted.empty() || std::ranges::any_of(scenario.tags, [&](const std::string& tag) {
           return std::ranges::find(wanted, tag) != wanted.end();
         });
}

}  // namespace

CheckPlan make_check_plan(const CheckSelection& selection) {
  CheckPlan made;
  std::set<std::string> seen;
  for (const auto& file : selection.files) {
    const std::string path = plain_path(file);
    if (!seen.insert(path).second) {
      continue;
    }
    auto read = scenario::read_scenario_file(file, selection.options);
    if (const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read)) {
      for (const scenario::ScenarioError& error : *errors) {
        made.unusable.push_back(unusable_file(path, error));
      }
      continue;
    }
    auto& [scenario, warnings, check] = std::get<scenario::ReadScenario>(read);
    if (!has_tag(scenario, selection.tags)) {
      ++made.untagged;
      continue;
    }
    for (std::string& warning : warnings) {
      if (std::ranges::find(made.warnings, warning) == made.warnings.end()) {
        made.warnings.push_back(std::move(warning));
      }
    }
    sweep::PlannedCell cell;
    cell.about.label = path;
    cell.about.policy = sweep::policy_of(scenario);
    cell.text = policies::text_from_json(*scenario.resolved);
    cell.name = path;
    cell.first_seed = scenario.seed;
    cell.policies = scenario.policies;
    const std::uint32_t seeds =
        check.seeds.value_or(scenario::draws_random_numbers(scenario) ? kRandomSeeds : 1);
    cell.traced = check.that.empty() ? seeds : std::min(seeds, kComparedSeeds);
    made.scenarios.push_back({path, scenario.name, cell.about.policy,
                              selection.options.policy ? selection.options.policy->name : "",
                              reports::scenario_digest(cell.text), seeds, check.seeds.has_value(),
                              check.margins, std::move(check.that)});
    made.plan.replicas = std::max(made.plan.replicas, seeds);
    made.plan.cells.push_back(std::move(cell));
  }
  return made;
}

}  // namespace aftershock::sim::check
