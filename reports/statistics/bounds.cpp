#include "reports/statistics/bounds.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::reports {

std::optional<Estimate> within(std::optional<Estimate> estimate, const Bounds& bounds) {
  AFTERSHOCK_ASSERT(bounds.low <= bounds.high);
  if (!estimate || !estimate->interval) {
    return estimate;
  }
  const auto [low, high] = *estimate->interval;
  // That a share is surely 0 or 1 is an interval of no width, and says something.
  if (low < high && low <= bounds.low && high >= bounds.high) {
    estimate->interval.reset();
  } else {
    estimate->interval = {std::clamp(low, bounds.low, bounds.high),
                          std::clamp(high, bounds.low, bounds.high)};
  }
  return estimate;
}

}  // namespace aftershock::reports
