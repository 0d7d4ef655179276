#include "gui/view/brush.h"

#include <algorithm>

namespace aftershock::gui {

BrushPart brush_part(double from_x, double to_x, double x) {
  const double inside = std::min(kEdge_px, (to_x - from_x) / 4);
  if (x >= from_x - kEdge_px && x <= from_x + inside) {
    return BrushPart::kBegin;
  }
  if (x >= to_x - inside && x <= to_x + kEdge_px) {
    return BrushPart::kEnd;
  }
  return x > from_x && x < to_x ? BrushPart::kMiddle : BrushPart::kOutside;
}

TimeRange brushed(const BrushDrag& drag, std::int64_t t_us, std::int64_t least_us,
                  const TimeRange& run) {
  if (drag.part == BrushPart::kMiddle) {
    return panned_us(drag.range, t_us - drag.pressed_us, run);
  }
  const TimeRange limits = limits_of(run);
  const std::int64_t still_us = drag.part == BrushPart::kBegin ? drag.range.end_us
                                : drag.part == BrushPart::kEnd ? drag.range.begin_us
                                                               : drag.pressed_us;
  const auto [begin_us, end_us] = std::minmax({t_us, still_us});
  TimeRange range{std::max(begin_us, limits.begin_us), std::min(end_us, limits.end_us)};
  if (range.end_us - range.begin_us < least_us) {
    // The end that stays, stays.
    if (t_us < still_us) {
      range.begin_us = range.end_us - least_us;
    } else {
      range.end_us = range.begin_us + least_us;
    }
  }
  return clamped(range, run);
}

}  // namespace aftershock::gui
