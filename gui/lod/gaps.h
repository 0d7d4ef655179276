#pragma once

#include <cstdint>
#include <span>

#include "gui/lod/cell.h"
#include "gui/lod/lane_lod.h"

namespace aftershock::gui {

/// A stretch of time for which a pyramid's buckets are too wide: which of `open` are there only the
/// spans can say.
struct Gap {
  std::int64_t begin_us = 0;
  std::int64_t end_us = 0;
  int column = 0;
  KindMask open = 0;
  KindMask found = 0;
  /// The kind that has most of it so far, by a majority vote of lanes and their time in it.
  Kind dominant = Kind::kCount;
  double lead_us = 0;
};

/// Looks for the kinds `wanted` in the lane's spans, for all gaps, which are in order of time and
/// do not overlap. Takes time for the spans and gaps that meet, and a search.
void look_up(const LaneView& lane, KindMask wanted, std::span<Gap> gaps);

}  // namespace aftershock::gui
