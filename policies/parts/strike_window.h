#pragma once

#include <cstddef>
#include <vector>

#include "policies/api/ids.h"

namespace aftershock::policies {

/// Counts strikes in a window that slides: it fires when `limit` strikes lie within strictly less
/// than `window_us` from the first to the last (ClusterD's manual isolation, modelarts.md 6.2).
struct StrikeWindow {
  std::vector<TimeUs> times;  ///< the newest, at most as many as the limit, in order

  /// Takes in a strike, not before the last one. True when it fires.
  bool strike(TimeUs at_us, std::size_t limit, DurationUs window_us) {
    times.push_back(at_us);
    if (times.size() > limit) {
      times.erase(times.begin());
    }
    return times.size() == limit && at_us - times.front() < window_us;
  }
};

}  // namespace aftershock::policies
