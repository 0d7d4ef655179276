#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// A limited retry budget of the only job, and where its limit is configured.
struct BudgetPlace {
  std::string name;        ///< the policy's own
  std::string pointer;     ///< of the setting in the scenario
  std::int64_t limit = 0;  ///< that the scenario has now
  bool text = false;       ///< the setting is written as a string
  bool in_a_row = false;   ///< progress gives back what was charged
};

/// Those of the only job's policy that a setting limits; empty where there are several jobs. Of an
/// external policy only a setting that is written down is known.
std::vector<BudgetPlace> budgets_of(const scenario::Scenario& scenario);

}  // namespace aftershock::sim::advise
