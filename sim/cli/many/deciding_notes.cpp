#include "sim/cli/many/deciding_notes.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "sim/advise/budget_places.h"
#include "sim/advise/choices.h"

namespace aftershock::sim::cli {
namespace {

/// "job-retry-num" of "exhausted(job-retry-num)"; else empty.
std::string_view budget_in(std::string_view how) {
  constexpr std::string_view kBefore = "exhausted(";
  return how.starts_with(kBefore) && how.ends_with(")")
             ? how.substr(kBefore.size(), how.size() - kBefore.size() - 1)
             : std::string_view();
}

bool varies(const sweep::Plan& plan, std::string_view pointer) {
  return std::ranges::any_of(plan.cells, [&](const sweep::PlannedCell& cell) {
    return std::ranges::find(cell.about.parameters, pointer, &sweep::Point::value_type::first) !=
           cell.about.parameters.end();
  });
}

/// The flag that widens the budget; empty where the policy takes no more.
std::string wider_flag(const scenario::Scenario& scenario, const advise::BudgetPlace& place) {
  for (const auto& [pointer, value] : advise::wider_budgets(scenario)) {
    if (pointer == place.pointer) {
      return "--set " + reports::shell_word(fmt::format("{}={}", pointer, value));
    }
  }
  return {};
}

}  // namespace

std::vector<std::string> deciding_notes(const reports::Comparison& comparison,
                                        const sweep::Plan& plan) {
  constexpr std::int64_t kOften = 5;  // one run in so many
  std::vector<std::string> notes;
  // Of policies that are varied as a whole their settings tell the budgets (budget_note.h).
  if (varies(plan, "policy") || varies(plan, "/jobs/0/policy")) {
    return notes;
  }
  std::set<std::string_view> told;
  for (const reports::Ending& ending : comparison.endings) {
    const std::string_view budget = budget_in(ending.how);
    const sweep::PlannedCell& cell = plan.cells[ending.cell];
    if (budget.empty() || cell.policies != nullptr ||
        ending.runs * kOften < comparison.header.replicas || !told.insert(budget).second) {
      continue;
    }
    const scenario::Scenario scenario = sweep::scenario_of(cell);
    const auto places = advise::budgets_of(scenario);
    const auto place = std::ranges::find(places, budget, &advise::BudgetPlace::name);
    if (place == places.end() || varies(plan, place->pointer)) {
      continue;
    }
    const std::string flag = wider_flag(scenario, *place);
    notes.push_back(fmt::format(
        "runs end by {}, which is {} and not varied: how long it lasts is part of these "
        "differences{}",
        budget, place->limit, flag.empty() ? "" : ". The same with more of it: " + flag));
  }
  return notes;
}

}  // namespace aftershock::sim::cli
