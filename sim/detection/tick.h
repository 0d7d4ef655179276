#pragma once

#include <cstdint>

namespace aftershock::sim {

/// The first of anchor, anchor + period, ... that is not before `at_us`: when somebody who looks at
/// those times sees what shows from then on. Times in microseconds.
constexpr std::int64_t tick_at_or_after(std::int64_t at_us, std::int64_t anchor_us,
                                        std::int64_t period_us) {
  if (at_us <= anchor_us) {
    return anchor_us;
  }
  return anchor_us + (at_us - anchor_us + period_us - 1) / period_us * period_us;
}

}  // namespace aftershock::sim
