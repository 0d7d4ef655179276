#include "sim/control/charges.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace aftershock::sim::control {

bool counts_in_a_row(const policies::PolicyInfo& info, std::size_t budget) {
  return std::ranges::any_of(info.budgets_in_a_row,
                             [budget](std::uint16_t other) { return other == budget; });
}

void spend(Charges& charges) {
  charges.started = true;
  charges.paid = false;
  charges.forgiven = false;
}

std::string take_in_move(Charges& charges, const policies::PolicyInfo& info,
                         const policies::PodTerms& terms, const policies::BudgetMove& move,
                         bool after_stop) {
  // A cause that is exempt pays for nothing and costs nothing.
  if (move.exempt || move.budget >= info.budgets.size()) {
    return {};
  }
  const std::string_view name = info.budgets[move.budget];
  charges.used.resize(std::max(charges.used.size(), info.budgets.size()));
  std::int64_t& used = charges.used[move.budget];
  const std::int64_t before = used;
  used = move.used;
  // A move that goes over the limit pays for no action: the job is given up instead.
  charges.paid = charges.paid || !move.exhausted;
  const bool anew = counts_in_a_row(info, move.budget) && move.used == 1;
  if (move.used <= before && !anew) {
    return fmt::format("{} is charged and goes from {} to {}", name, before, move.used);
  }
  // The configuration's limit goes first: one that a policy names itself would let it judge itself.
  const auto limit = move.budget < terms.limits.size() ? terms.limits[move.budget] : move.limit;
  if (limit && move.used > *limit && !move.exhausted) {
    return fmt::format("{} of {} of {} are used", move.used, *limit, name);
  }
  // Budgets pay as an action begins, and the stop was its beginning (rule 6).
  if (after_stop) {
    return fmt::format("{} is charged when the workers have been stopped already", name);
  }
  return {};
}

std::string take_in_states(Charges& charges, const policies::PolicyInfo& info,
                           const std::vector<policies::BudgetState>& states) {
  std::string wrong;
  for (std::size_t i = 0; i < states.size() && i < charges.used.size(); ++i) {
    if (states[i].used < charges.used[i] && !counts_in_a_row(info, i)) {
      wrong = fmt::format("{} goes back from {} to {}", info.budgets[i], charges.used[i],
                          states[i].used);
    }
  }
  // The policy's own numbers are compared with next time, so that one error is told once.
  charges.used.clear();
  std::ranges::transform(states, std::back_inserter(charges.used), &policies::BudgetState::used);
  return wrong;
}

}  // namespace aftershock::sim::control
