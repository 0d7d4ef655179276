#pragma once

#include <cstdint>

#include "base/assert.h"

namespace aftershock::sim::detection {

/// The first tick at or after `at_us` of a clock that ticks at `anchor_us` and every `period_us`
/// from then on; microseconds.
constexpr std::int64_t tick_at_or_after(std::int64_t at_us, std::int64_t anchor_us,
                                        std::int64_t period_us) {
  AFTERSHOCK_ASSERT(period_us > 0);
  return at_us <= anchor_us
             ? anchor_us
             : anchor_us + (at_us - anchor_us + period_us - 1) / period_us * period_us;
}

/// The first such tick by which what began at `since_us` has lasted for `after_us`, counted from
/// the first tick that showed it.
constexpr std::int64_t tick_when_sure(std::int64_t since_us, std::int64_t after_us,
                                      std::int64_t anchor_us, std::int64_t period_us) {
  AFTERSHOCK_ASSERT(after_us >= 0);
  return tick_at_or_after(since_us, anchor_us, period_us) +
         (after_us + period_us - 1) / period_us * period_us;
}

}  // namespace aftershock::sim::detection
