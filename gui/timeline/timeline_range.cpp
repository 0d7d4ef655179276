#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/theme/look.h"
#include "gui/timeline/describe.h"
#include "gui/timeline/timeline.h"
#include "gui/view/ruler.h"

// A range of time as a selection: by key from a span, by dragging with Shift, and as it is drawn.
namespace aftershock::gui {

void Timeline::handle_range_actions(ActionHandlers& actions) {
  actions.handle(ActionId::kSelectRange, [this] {
    if (scene() != nullptr) {
      select_range();
    }
  });
}

void Timeline::select_range() {
  if (!state_.selection) {
    announce(tr("nothing is selected whose range could be"));
    return;
  }
  if (state_.selection->time.end_us <= state_.selection->time.begin_us) {
    announce(tr("what is selected takes no time"));
    return;
  }
  ViewState next = state_;
  next.selection = Selection{.lane = std::nullopt, .time = state_.selection->time};
  change(std::move(next));
  announce_range();
}

void Timeline::announce_range() {
  if (const auto range = selected_range(state_)) {
    announce(tr("%1 selected, from %2 to %3")
                 .arg(time_text(range->end_us - range->begin_us), time_text(range->begin_us),
                      time_text(range->end_us)));
  }
}

bool Timeline::begin_range(const QMouseEvent& event) {
  const Layout layout = layout_now();
  if ((event.modifiers() & Qt::ShiftModifier) == 0 || event.pos().x() < layout.label_px ||
      event.pos().y() < layout.minimap_px) {
    return false;
  }
  drag_ = Drag::kRange;
  has_dragged_ = false;
  return true;
}

void Timeline::drag_range(int x) {
  if (!has_dragged_ && std::abs(x - pressed_.x()) < QApplication::startDragDistance()) {
    return;
  }
  const auto in_run = [this](int at) {
    return std::clamp(pointed_us(time_at(at), us_a_pixel()), run().begin_us, run().end_us);
  };
  const std::int64_t pressed_us = in_run(pressed_.x());
  const std::int64_t now_us = in_run(x);
  const std::int64_t begin_us = std::min(pressed_us, now_us);
  ViewState next = state_;
  next.selection = Selection{.lane = std::nullopt,
                             .time = {begin_us, std::max({pressed_us, now_us, begin_us + 1})}};
  change(std::move(next), has_dragged_ ? Joining::kJoined : Joining::kNew);
  has_dragged_ = true;
}

void Timeline::end_range() {
  if (has_dragged_) {
    announce_range();
  } else if (layout_now().lanes().contains(pressed_)) {
    select_at(pressed_);
  }
}

void Timeline::draw_range(QPainter& painter) const {
  const auto range = selected_range(state_);
  if (!range) {
    return;
  }
  const Layout layout = layout_now();
  const double from = std::max(x_at(range->begin_us), -10.0);
  const double to = std::min(std::max(x_at(range->end_us), from + 1), layout.width + 10.0);
  const int top = layout.minimap_px + layout.notes_px;
  const QColor edge(inks(theme_).selection);
  QColor tint = edge;
  tint.setAlpha(34);
  painter.fillRect(QRectF(from, top, to - from, layout.height - top), tint);
  for (const double x : {from, to - 1}) {
    painter.fillRect(QRectF(std::floor(x), top, 1, layout.height - top), edge);
  }
  draw_length(painter, *range);
}

QString Timeline::range_length() const {
  const auto range = selected_range(state_);
  return range ? QString::fromStdString(format_simulated(range->end_us - range->begin_us,
                                                         static_cast<std::int64_t>(us_a_pixel())))
               : QString();
}

/// The length stands over the range, in the ruler: within it where it fits, else beside it.
void Timeline::draw_length(QPainter& painter, const TimeRange& range) const {
  const Layout layout = layout_now();
  const QString length = range_length();
  constexpr double kSpace = 4;
  const double width = painter.fontMetrics().horizontalAdvance(length) + 2 * kSpace;
  const double from = std::max(x_at(range.begin_us), static_cast<double>(layout.label_px));
  const double to = std::min(x_at(range.end_us), static_cast<double>(layout.width));
  if (to < from) {
    return;
  }
  const double beside = to + width <= layout.width ? to : from - width;
  const double left = to - from >= width ? (from + to - width) / 2 : beside;
  // Above it faults are marked, which can be clicked.
  const double high = painter.fontMetrics().height();
  const QRectF box(left, layout.rows_top() - high, width, high);
  const QColor tint(inks(theme_).selection);
  painter.fillRect(box, tint);
  painter.setPen(QColor(text_on(inks(theme_).selection)));
  painter.drawText(box, Qt::AlignCenter, length);
}

}  // namespace aftershock::gui
