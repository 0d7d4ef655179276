#pragma once

#include <array>
#include <cstdint>

#include "policies/device_codes/device_need.h"

namespace aftershock::sim::scenario {

/// When the cluster looks for accelerators that are out of order.
enum class HealthCheckWhen : std::uint8_t { kNone, kPlacement, kPeriodic };

/// The health check of a cluster: a node on which it finds an accelerator out of order gets no new
/// work until that is well.
struct HealthCheckSpec {
  HealthCheckWhen when = HealthCheckWhen::kPlacement;
  std::int64_t every_us = 0;                                         ///< of a periodic one
  std::array<bool, policies::kDeviceNeeds> finds{true, true, true};  ///< by what the device needs
};

}  // namespace aftershock::sim::scenario
