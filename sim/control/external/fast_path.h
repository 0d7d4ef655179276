#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/decision.h"
#include "policies/api/issue.h"
#include "policies/api/policy.h"

namespace aftershock::sim::control {

/// Whether nothing is wrong with an answer to a batch of that many events, as JSON would carry and
/// read it. It is cheap, and false for what is only unusual, too: letters beyond ASCII, say.
bool is_plain(const policies::Decision& decision, std::size_t events,
              const policies::PolicyInfo& info);
bool is_plain(const std::vector<policies::BudgetState>& budgets, const policies::PolicyInfo& info);
bool is_plain(const std::vector<policies::TrialState>& trials);

}  // namespace aftershock::sim::control
