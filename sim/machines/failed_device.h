#pragma once

#include <cstdint>
#include <optional>

#include "policies/device_codes/device_need.h"

namespace aftershock::sim::machines {

/// An accelerator that failed and that nobody has made well yet.
struct FailedDevice {
  std::uint32_t pool = 0;
  std::uint32_t node = 0;  ///< of the pool
  std::uint32_t accelerator = 0;
  std::uint32_t fault = 0;
  policies::DeviceNeed needs = policies::DeviceNeed::kReset;
  /// It is out of order: a process that starts on it fails. Else it fails whoever uses it now, and
  /// is well again when somebody computes on it.
  bool lasting = false;
  bool ends = false;  ///< where lasting: it will be well again by itself
  /// Where it ends because somebody repairs it: how long that takes.
  std::optional<std::int64_t> repair_us{};
  bool found = false;  ///< by a health check: its node gets no new work
};

}  // namespace aftershock::sim::machines
