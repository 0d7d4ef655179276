#pragma once

#include <cstdint>

#include "reports/results/margin.h"

namespace aftershock::sim {

/// How `aftershock check` judges a scenario. The world knows nothing of it.
struct CheckSpec {
  std::uint32_t seeds = 1;  ///< from the scenario's upwards
  reports::Margins margins;
};

}  // namespace aftershock::sim
