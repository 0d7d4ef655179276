#include "sim/advise/accepted.h"

#include <fmt/format.h>

#include "policies/api/json_as_text.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::advise {

std::optional<scenario::Scenario> with_values(
    const scenario::Scenario& scenario,
    const std::vector<std::pair<std::string, std::string>>& sets) {
  scenario::ReadOptions options;
  options.policies = scenario.policies;
  for (const auto& [pointer, value] : sets) {
    options.sets.push_back(fmt::format("{}={}", pointer, value));
  }
  auto read =
      scenario::read_scenario_text(policies::text_from_json(*scenario.resolved), "", options);
  auto* taken = std::get_if<scenario::ReadScenario>(&read);
  return taken == nullptr ? std::nullopt : std::optional(std::move(taken->scenario));
}

bool is_accepted(const scenario::Scenario& scenario,
                 const std::vector<std::pair<std::string, std::string>>& sets) {
  return with_values(scenario, sets).has_value();
}

}  // namespace aftershock::sim::advise
