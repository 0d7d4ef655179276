#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/decision.h"

namespace aftershock::sim::workload {

/// The news of its pool that a job's controller asked for, and those that it has been told.
struct PoolWatch {
  std::optional<policies::CapacityWatch> capacity;
  std::optional<std::uint32_t> capacity_told;
  bool capacity_look_pending = false;
  std::optional<policies::DrainWatch> drain;
  std::optional<std::uint32_t> notice;  ///< fault that announced the loss of one of its nodes
  bool draining = false;                ///< it was told of that, and works on
};

}  // namespace aftershock::sim::workload
