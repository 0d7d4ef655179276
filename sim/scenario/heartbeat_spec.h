#pragma once

#include <cstdint>

namespace aftershock::sim::scenario {

/// How a head notices that a node is gone.
struct HeartbeatSpec {
  std::int64_t every_us = 5'000'000;
  /// The wait of a head that asks for an answer. A node that has fallen silent costs it each time,
  /// one that has shut down does not (Ray's health check).
  std::int64_t timeout_us = 0;
  std::uint32_t misses = 3;  ///< in a row
};

}  // namespace aftershock::sim::scenario
