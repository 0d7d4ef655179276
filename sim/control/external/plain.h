#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/decision.h"
#include "policies/api/issue.h"
#include "policies/api/policy.h"

namespace aftershock::sim {

/// Whether nothing is wrong with an answer to a batch of that many events, as JSON would carry and
/// read it. It is cheap, and false for what is only unusual, too: letters beyond ASCII, say.
bool is_plain(const policies::Decision& decision, std::size_t events,
              const policies::PolicyInfo& info);
bool is_plain(const std::vector<policies::BudgetState>& budgets, const policies::PolicyInfo& info);
bool is_plain(const std::vector<policies::TrialState>& trials);

/// What is wrong with an answer that not even JSON has words for: what refers to tables that have
/// no such place, and what is no enumerator.
std::optional<policies::Issue> unsayable(const policies::Decision& decision, std::uint16_t state,
                                         const policies::PolicyInfo& info);

}  // namespace aftershock::sim
