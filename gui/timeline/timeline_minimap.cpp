#include <QMouseEvent>
#include <algorithm>
#include <cstdlib>

#include "gui/timeline/timeline.h"

// The actions of the mouse on the whole run above a timeline.
namespace aftershock::gui {

namespace {

TimeAxis minimap_axis(const Layout& layout, const TimeRange& run) {
  return whole_axis(run, std::max(1, layout.time_width()));
}

/// Nearer than this to where it was pressed a pointer has not been dragged.
constexpr int kStill_px = 3;
/// A range that is drawn is at least so wide on the minimap, so that it can be taken hold of.
constexpr int kLeast_px = 2;

}  // namespace

BrushPart Timeline::brush_part_at(int x) const {
  const Layout layout = layout_now();
  const TimeAxis axis = minimap_axis(layout, run());
  return brush_part(layout.label_px + x_on(axis, state_.shown.begin_us),
                    layout.label_px + x_on(axis, state_.shown.end_us), x);
}

std::int64_t Timeline::minimap_time(int x) const {
  const Layout layout = layout_now();
  const TimeAxis axis = minimap_axis(layout, run());
  return time_of(axis, std::clamp(x - layout.label_px, 0, axis.width_px));
}

void Timeline::press_minimap(int x) {
  drag_ = Drag::kMinimap;
  brush_ = {brush_part_at(x), state_.shown, minimap_time(x)};
  has_brushed_ = false;
}

void Timeline::drag_minimap(int x) {
  if (!has_brushed_ && std::abs(x - pressed_.x()) < kStill_px) {
    return;
  }
  const TimeAxis axis = minimap_axis(layout_now(), run());
  const auto pixel_us = static_cast<std::int64_t>(length_us(axis)) / axis.width_px;
  ViewState next = state_;
  next.shown =
      brushed(brush_, minimap_time(x), std::max<std::int64_t>(1, kLeast_px * pixel_us), run());
  change(std::move(next), has_brushed_ ? Joining::kJoined : Joining::kNew);
  has_brushed_ = true;
}

void Timeline::release_minimap(int x) {
  // A click shows what is there.
  if (!has_brushed_ && brush_.part == BrushPart::kOutside) {
    const std::int64_t middle = minimap_time(x);
    ViewState next = state_;
    next.shown = centred(state_.shown, {middle, middle + 1}, run());
    change(std::move(next));
  }
}

void Timeline::show_brush_cursor(const QPoint& at) {
  if (!layout_now().minimap().contains(at) || scene() == nullptr) {
    viewport()->unsetCursor();
    return;
  }
  switch (brush_part_at(at.x())) {
    case BrushPart::kBegin:
    case BrushPart::kEnd:
      viewport()->setCursor(Qt::SizeHorCursor);
      break;
    case BrushPart::kMiddle:
      viewport()->setCursor(Qt::OpenHandCursor);
      break;
    case BrushPart::kOutside:
      viewport()->setCursor(Qt::CrossCursor);
      break;
  }
}

}  // namespace aftershock::gui
