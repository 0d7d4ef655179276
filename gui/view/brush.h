#pragma once

#include <cstdint>

#include "gui/view/time_range.h"

namespace aftershock::gui {

/// The part of the range on a minimap that is taken hold of.
enum class BrushPart : std::uint8_t {
  kOutside,  ///< nothing of it: a new range begins there
  kBegin,    ///< its left edge
  kEnd,      ///< its right edge
  kMiddle,   ///< all of it
};

/// So near to an edge, in pixels, is on it.
inline constexpr double kEdge_px = 5;

/// The part at `x` of a range between `from_x` and `to_x`, in pixels. A range too narrow for its
/// middle to be hit has edges outside alone.
BrushPart brush_part(double from_x, double to_x, double x);

/// A range that is dragged: pressed at one time of the run, now at another.
struct BrushDrag {
  BrushPart part = BrushPart::kOutside;
  TimeRange range;  ///< when it was pressed
  std::int64_t pressed_us = 0;
};

/// The range with the pointer at `t_us`, at least `least_us` long. An edge that is dragged over the
/// other becomes it. Nothing is beyond the limits of the run.
TimeRange brushed(const BrushDrag& drag, std::int64_t t_us, std::int64_t least_us,
                  const TimeRange& run);

}  // namespace aftershock::gui
