#include "sim/advise/accepted.h"

#include <fmt/format.h>

#include "policies/api/json_as_text.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim {

std::optional<Scenario> with_values(const Scenario& scenario,
                                    const std::vector<std::pair<std::string, std::string>>& sets) {
  ReadOptions options;
  options.policies = scenario.policies;
  for (const auto& [pointer, value] : sets) {
    options.sets.push_back(fmt::format("{}={}", pointer, value));
  }
  auto read = read_scenario_text(policies::text_from_json(*scenario.resolved), "", options);
  auto* taken = std::get_if<ReadScenario>(&read);
  return taken == nullptr ? std::nullopt : std::optional(std::move(taken->scenario));
}

bool is_accepted(const Scenario& scenario,
                 const std::vector<std::pair<std::string, std::string>>& sets) {
  return with_values(scenario, sets).has_value();
}

}  // namespace aftershock::sim
