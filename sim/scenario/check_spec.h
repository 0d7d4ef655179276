#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/results/margin.h"
#include "sim/scenario/expression.h"

namespace aftershock::sim::scenario {

/// How `aftershock check` judges a scenario. The world knows nothing of it.
struct CheckSpec {
  std::optional<std::uint32_t> seeds;  ///< from the scenario's upwards; none: it does not say
  reports::Margins margins;
  std::vector<Expression> that;  ///< of its runs together
};

}  // namespace aftershock::sim::scenario
