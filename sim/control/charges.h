#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/pod_terms.h"
#include "policies/api/policy.h"

// The costs of actions: budgets are looked at before an action, and pay as it begins (rule 6 of
// modelarts.md 4).
namespace aftershock::sim::control {

/// How the budgets stood, and whether the action that comes next is paid for.
struct Charges {
  std::vector<std::int64_t> used;  ///< by budget; empty: nothing yet
  bool started = false;            ///< the first start, which is free, has been
  bool paid = false;
  bool forgiven = false;  ///< the controller came back: what it takes up again is free
};

/// Whether an action may begin now.
inline bool may_act(const Charges& charges) {
  return !charges.started || charges.paid || charges.forgiven;
}

/// An action has begun; the next one needs a charge of its own.
void spend(Charges& charges);

/// The error in a move, in words; empty: none. `after_stop`: nothing but the end of the workers is
/// answered.
std::string take_in_move(Charges& charges, const policies::PolicyInfo& info,
                         const policies::PodTerms& terms, const policies::BudgetMove& move,
                         bool after_stop);

/// The error in the budgets after a decision, in words; empty: none.
std::string take_in_states(Charges& charges, const policies::PolicyInfo& info,
                           const std::vector<policies::BudgetState>& states);

/// Whether the budget counts what came in a row, and so may go back.
bool counts_in_a_row(const policies::PolicyInfo& info, std::size_t budget);

}  // namespace aftershock::sim::control
