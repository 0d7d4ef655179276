#pragma once

#include <cstdint>

#include "base/assert.h"

namespace aftershock::sim {

/// When a node that fell silent at `silent_us` is declared dead: at the tick of the `misses`-th
/// heartbeat that stayed away, ticks at multiples of `every_us`. A heartbeat due at the very moment
/// still came. Latency in [(misses - 1) every, misses every] (oracles.md O12).
constexpr std::int64_t heartbeat_deadline_us(std::int64_t silent_us, std::int64_t every_us,
                                             std::uint32_t misses) {
  AFTERSHOCK_ASSERT(silent_us >= 0 && every_us > 0 && misses > 0);
  return (silent_us / every_us + static_cast<std::int64_t>(misses)) * every_us;
}

}  // namespace aftershock::sim
