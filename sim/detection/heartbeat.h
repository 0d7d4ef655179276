#pragma once

#include <cstdint>

#include "base/assert.h"

namespace aftershock::sim::detection {

/// When a node that fell silent at `silent_us` is declared dead: at the tick of the `misses`-th
/// heartbeat that stayed away, ticks at multiples of `every_us`. A heartbeat due at the very moment
/// still came. Latency in [(misses - 1) every, misses every] (oracles.md O12). A head that asks
/// waits `timeout_us` for each answer, and asks again `every_us` later (Ray's health check).
constexpr std::int64_t heartbeat_deadline_us(std::int64_t silent_us, std::int64_t every_us,
                                             std::uint32_t misses, std::int64_t timeout_us = 0) {
  AFTERSHOCK_ASSERT(silent_us >= 0 && every_us > 0 && misses > 0 && timeout_us >= 0);
  const std::int64_t missed = misses;
  return (silent_us / every_us + missed) * every_us + missed * timeout_us;
}

}  // namespace aftershock::sim::detection
