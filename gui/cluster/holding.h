#pragma once

#include <cstdint>
#include <limits>

#include "gui/trace/kind.h"
#include "gui/trace/lane.h"

namespace aftershock::gui {

/// The kinds that hold in a lane at a time, and the times [since_us, until_us) around it in which
/// they are sure to do so.
struct Holding {
  KindMask kinds = 0;
  std::int64_t since_us = std::numeric_limits<std::int64_t>::min();
  std::int64_t until_us = kOpen;

  friend bool operator==(const Holding&, const Holding&) = default;
};

/// Looks at the spans that hold at `t_us`, and finds them in time for the logarithm of the lane;
/// those that have ended since the first of them began are looked at as well.
Holding holding_at(const LaneColumns& lane, std::int64_t t_us);

}  // namespace aftershock::gui
