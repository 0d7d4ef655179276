#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gui/lod/cell.h"
#include "gui/lod/pyramid.h"
#include "gui/trace/spans.h"

namespace aftershock::gui {

/// A run of 16, 256, 4096, ... spans, for passing over it in one step where a pixel holds it.
struct Block {
  std::int64_t latest_end_us = 0;
  double dominant_us = 0;  ///< the part of it that the longest kind takes
  KindMask mask = 0;
  Kind dominant = Kind::kCount;
};

/// The index that makes a lane quick to draw, beside its spans. Up to 64 spans have nothing of it,
/// a lane whose spans follow each other no `reach_us`, and up to kPyramidFrom spans no pyramid: the
/// spans themselves are as quick.
struct LaneLod {
  std::size_t count = 0;   ///< of the spans that it was made from
  KindMask kinds = 0;      ///< of all of them
  bool sequential = true;  ///< no span begins before the one before it has ended
  /// Level l has a block for every whole 16^(l+1) spans.
  std::vector<std::vector<Block>> blocks;
  /// For every 64th span, and each of `kinds`: until when the spans before it of that kind last.
  std::vector<std::int64_t> reach_us;
  Pyramid pyramid;
};

/// Lanes of fewer spans have no pyramid.
inline constexpr std::size_t kPyramidFrom = 4096;
/// Spans a block of the lowest level, and of one level in a block of the next.
inline constexpr std::size_t kBlockSpans = 16;
/// Spans between two entries of LaneLod::reach_us.
inline constexpr std::size_t kReachSpans = 64;
/// Before any time: a kind that there has not been.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();

/// A lane to draw; `lod` belongs to `spans` and outlives it.
struct LaneView {
  LaneSpans spans;
  const LaneLod* lod = nullptr;
};

/// For a whole lane. Spans may end before they begin: those are instants.
LaneLod make_lane_lod(const LaneSpans& spans);

/// The lane has grown: spans before `first_changed` are as they were, those from there on new, or
/// ended in the meantime. `first_changed` is at most the size that `lod` knows; before
/// `changed_from_us`, where the first new span begins or an open one now ends, nothing looks
/// different. Takes time for what changed; the pyramid is made anew when a quarter of the lane is
/// not in it, until then the spans stand in for what it lacks.
void extend(LaneLod& lod, const LaneSpans& spans, std::size_t first_changed,
            std::int64_t changed_from_us);

/// When span i ends; not before it begins.
inline std::int64_t end_of(const LaneSpans& spans, std::size_t i) {
  return spans.end_us[i] < spans.begin_us[i] ? spans.begin_us[i] : spans.end_us[i];
}

/// The first span, from `hint` on, that begins at `t_us` or later; all before `hint` begin earlier.
/// Takes time for how far that is, not for the lane.
std::size_t first_from(const LaneSpans& spans, std::int64_t t_us, std::size_t hint);

}  // namespace aftershock::gui
