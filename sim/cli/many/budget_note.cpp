#include "sim/cli/many/budget_note.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/format.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::cli {
namespace {

struct Budget {
  std::string name;
  std::optional<std::int64_t> limit;  ///< none: unlimited
};

/// The first budget that the policy lists.
std::optional<Budget> first_budget(const scenario::Scenario& scenario) {
  if (scenario.jobs.empty() || scenario.policies != nullptr) {
    return std::nullopt;
  }
  const auto hosts = simulate::make_hosts(scenario);
  const auto states = hosts.front().policy().budgets();
  return states.empty() ? std::nullopt
                        : std::optional(Budget{std::string(hosts.front().info().budgets.front()),
                                               states.front().limit});
}

std::string words(const Budget& budget) {
  return budget.limit ? fmt::format("{} {}", budget.name, *budget.limit)
                      : fmt::format("an unlimited {}", budget.name);
}

/// The flag that has both policies with the first one's budget; empty where that is unlimited,
/// which not every policy can be, or the second does not have it as a setting of that name.
std::string flag_for_both(const scenario::Scenario& own, const scenario::Scenario& other,
                          const Budget& budget, const Budget& others) {
  const nlohmann::ordered_json::json_pointer place("/jobs/0/policy");
  nlohmann::ordered_json policy = other.resolved->at(place);
  if (!budget.limit || !policy.contains("config") || !policy["config"].contains(others.name) ||
      !policy["config"][others.name].is_number()) {
    return {};
  }
  policy["config"][others.name] = *budget.limit;
  return fmt::format(
      "; as many for both: --vary {}",
      reports::shell_word(fmt::format("{}={},{}", place.to_string(),
                                      policies::text_from_json(own.resolved->at(place)),
                                      policies::text_from_json(policy))));
}

}  // namespace

std::string budget_note(const scenario::Scenario& own, const scenario::Scenario& other) {
  const auto budget = first_budget(own);
  const auto others = first_budget(other);
  if (!budget || !others || budget->limit == others->limit) {
    return {};
  }
  return fmt::format("{} beside {}: where runs end by a budget, that decides{}", words(*others),
                     words(*budget), flag_for_both(own, other, *budget, *others));
}

}  // namespace aftershock::sim::cli
