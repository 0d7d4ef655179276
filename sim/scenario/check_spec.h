#pragma once

#include <cstdint>
#include <vector>

#include "reports/results/margin.h"
#include "sim/scenario/expression.h"

namespace aftershock::sim {

/// How `aftershock check` judges a scenario. The world knows nothing of it.
struct CheckSpec {
  std::uint32_t seeds = 1;  ///< from the scenario's upwards
  reports::Margins margins;
  std::vector<Expression> that;  ///< of its runs together
};

}  // namespace aftershock::sim
