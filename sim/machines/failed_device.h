#pragma once

#include <cstdint>

namespace aftershock::sim {

/// An accelerator that failed and that nobody has made well yet.
struct FailedDevice {
  std::uint32_t pool = 0;
  std::uint32_t node = 0;  ///< of the pool
  std::uint32_t accelerator = 0;
  std::uint32_t fault = 0;
  /// It is out of order, and its node takes no work. Else it fails whoever uses it now, and is well
  /// again when somebody computes on it.
  bool lasting = false;
};

}  // namespace aftershock::sim
