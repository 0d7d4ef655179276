#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "policies/api/policy.h"
#include "sim/workload/job.h"

namespace aftershock::sim::sweep {

/// A level on the way to exhaustion.
struct Level {
  double share = 1;  ///< of the retries, the last of which is the one that is not granted
  std::string name;
};

/// The levels of these budgets in rising order: each number of retries that may be used, of budgets
/// with thousands of them some, and last "exhausted". Empty when no budget has a limit.
std::vector<Level> levels_of(const policies::PolicyInfo& info,
                             const std::vector<policies::BudgetState>& budgets);

/// How far the worst of a job's charges from the `first` one on brought it: used / (limit + 1) of
/// its budget, and 1 where that is exhausted. Equal shares of different limits are equal doubles:
/// a quotient is rounded correctly, so it depends on its value alone.
double worst_share(const workload::Job& job, std::size_t first);

}  // namespace aftershock::sim::sweep
