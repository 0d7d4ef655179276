#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "gui/lod/scanline.h"
#include "gui/scene/cut_index.h"
#include "gui/timeline/frame.h"

namespace aftershock::gui {

/// Rows below each other that a partition cuts off together: the lanes of what it is named after.
struct CutBand {
  LaneKey cut;              ///< the part that is cut off: a node, a rack, a pool
  std::size_t first = 0;    ///< among the rows shown
  std::size_t last = 0;     ///< and the last of them
  bool more_above = false;  ///< there are more lanes of it where the screen ends
  bool more_below = false;
  std::vector<PixelRun> pixels;  ///< when, on the frame's axis
};

/// The pixels of an axis that ranges meet, each at least one; those that touch are one. It takes
/// time for the pixels, not for the ranges.
std::vector<PixelRun> cut_pixels(std::span<const CutRange> ranges, const TimeAxis& axis);

/// The bands that are cut off on the screen; the outermost comes first.
std::vector<CutBand> cut_bands(const Frame& frame, std::span<const ShownRow> rows);

}  // namespace aftershock::gui
