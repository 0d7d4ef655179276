#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "gui/timeline/lane_bars.h"
#include "gui/timeline/layout.h"
#include "gui/timeline/timeline.h"
#include "gui/trace/display_text.h"
#include "gui/view/ruler.h"

// The actions of the mouse on a timeline.
namespace aftershock::gui {

namespace {

/// Of a wheel's turn, a notch being 120.
constexpr double kNotch = 120;
constexpr double kZoomANotch = 1.35;
constexpr double kPanANotch = 0.1;
constexpr int kRowsANotch = 3;
/// Turns so close to each other are undone together.
constexpr int kOneGesture_ms = 600;
/// A span this near to the pointer is meant.
constexpr int kNear_px = 3;

QString as_tooltip(const QString& plain) {
  return QStringLiteral("<p style='white-space:pre'>%1</p>").arg(plain.toHtmlEscaped());
}

}  // namespace

void Timeline::zoom(double factor, std::int64_t about_us, Joining joined) {
  ViewState next = state_;
  next.shown = zoomed(state_.shown, about_us, factor, run());
  change(std::move(next), joined);
}

void Timeline::pan(double screens) {
  ViewState next = state_;
  next.shown = panned(state_.shown, screens, run());
  change(std::move(next));
}

void Timeline::wheelEvent(QWheelEvent* event) {
  // With Alt some platforms turn the wheel sideways.
  const QPoint delta = event->angleDelta();
  const bool sideways = delta.y() == 0;
  const double notches = (sideways ? delta.x() : delta.y()) / kNotch;
  const Qt::KeyboardModifiers keys = event->modifiers();
  const bool again = since_wheel_.isValid() && since_wheel_.elapsed() < kOneGesture_ms;
  since_wheel_.start();
  const Joining joined = again ? Joining::kJoined : Joining::kNew;
  if ((keys & Qt::ControlModifier) != 0) {
    zoom(std::pow(kZoomANotch, notches), time_at(static_cast<int>(event->position().x())), joined);
  } else if ((keys & Qt::AltModifier) != 0) {
    row_px_ = std::clamp(row_px() + (notches > 0 ? 2 : -2), kLowestRow_px, kHighestRow_px);
    place_scrollbar();
    redraw();
  } else if ((keys & Qt::ShiftModifier) != 0 || sideways) {
    ViewState next = state_;
    next.shown = panned(state_.shown, -notches * kPanANotch, run());
    change(std::move(next), joined);
  } else {
    since_wheel_.invalidate();
    QScrollBar* bar = verticalScrollBar();
    bar->setValue(bar->value() - static_cast<int>(std::lround(notches * kRowsANotch)));
  }
  event->accept();
}

std::optional<SpanAt> Timeline::span_near(const QPoint& at) const {
  const auto node = node_at(at.y());
  if (!node || at.x() < layout_now().label_px) {
    return std::nullopt;
  }
  const std::int64_t from = time_at(at.x());
  if (const auto exact = span_at(*scene(), *node, from, std::max(from + 1, time_at(at.x() + 1)))) {
    return exact;
  }
  return span_at(*scene(), *node, time_at(at.x() - kNear_px),
                 std::max(from + 1, time_at(at.x() + kNear_px + 1)));
}

void Timeline::select(SpanAt span, std::int64_t cursor_us) {
  const auto key = scene()->key_of_lane(span.lane);
  const LaneSpans spans = scene()->trace().lanes[span.lane].columns.spans();
  ViewState next = state_;
  next.cursor_us = cursor_us;
  next.lane = key ? key : next.lane;
  next.selection = Selection{.lane = key,
                             .content = id_of({span.lane, false}),
                             .span = span.span,
                             .time = {spans.begin_us[span.span],
                                      std::max(spans.begin_us[span.span],
                                               std::min(end_of(spans, span.span), run().end_us))}};
  change(std::move(next));
  announce(tr("%1, %2, at %3")
               .arg(short_text(*scene(), span), key ? lane_text(*scene(), *key) : QString(),
                    QString::fromStdString(format_simulated(spans.begin_us[span.span]))));
}

void Timeline::select_near(const LaneKey& lane, std::int64_t t_us) {
  const auto node = scene() == nullptr ? std::nullopt : gui::find(scene()->tree(), lane);
  if (!node) {
    return;
  }
  const auto near_us = static_cast<std::int64_t>(std::ceil(kNear_px * us_a_pixel()));
  auto span = span_at(*scene(), *node, t_us, t_us + 1);
  if (!span) {
    span = span_at(*scene(), *node, t_us - near_us, t_us + near_us + 1);
  }
  if (span) {
    select(*span, t_us);
  }
}

void Timeline::select_at(const QPoint& at) {
  const auto node = node_at(at.y());
  if (!node) {
    return;
  }
  const std::int64_t t_us = time_at(at.x());
  if (const auto span = span_near(at)) {
    select(*span, t_us);
    return;
  }
  ViewState next = state_;
  next.lane = scene()->tree().nodes[*node].key;
  next.selection.reset();
  next.cursor_us = t_us;
  change(std::move(next));
  announce(
      tr("%1, at %2")
          .arg(lane_text(*scene(), *state_.lane), QString::fromStdString(format_simulated(t_us))));
}

void Timeline::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || scene() == nullptr) {
    return;
  }
  const QPoint at = event->pos();
  const Layout layout = layout_now();
  pressed_ = at;
  pressed_range_ = state_.shown;
  if (press_legend(at) || press_note(at) || begin_range(*event) || press_mark(at)) {
    return;
  }
  if (layout.minimap().contains(at)) {
    press_minimap(at.x());
  } else if (layout.ruler().contains(at)) {
    drag_ = Drag::kRuler;
    play_to(time_at(at.x()));
  } else if (at.x() >= layout.label_px) {
    drag_ = Drag::kMaybe;
  } else if (const auto node = node_at(at.y())) {
    const LaneTree::Node lane = scene()->tree().nodes[*node];
    ViewState next = state_;
    next.lane = lane.key;
    const int triangle = 4 + static_cast<int>(lane.depth) * 12;
    if (lane.end > *node + 1 && at.x() < triangle + 12) {
      set_open(next.lanes, lane.key, !is_open(next.lanes, lane.key));
    }
    change(std::move(next));
    announce(lane_text(*scene(), lane.key));
  }
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
  const int moved = event->pos().x() - pressed_.x();
  if (drag_ == Drag::kMaybe && std::abs(moved) >= QApplication::startDragDistance()) {
    drag_ = Drag::kPan;
    viewport()->setCursor(Qt::ClosedHandCursor);
    history_.go(state_);
  }
  if (drag_ == Drag::kPan) {
    ViewState next = state_;
    next.shown = panned_us(pressed_range_, -static_cast<std::int64_t>(moved * us_a_pixel()), run());
    const bool first = next.shown != state_.shown && state_.shown == pressed_range_;
    change(std::move(next), first ? Joining::kNew : Joining::kJoined);
  } else if (drag_ == Drag::kMinimap) {
    drag_minimap(event->pos().x());
  } else if (drag_ == Drag::kRuler) {
    play_to(time_at(event->pos().x()));
  } else if (drag_ == Drag::kRange) {
    drag_range(event->pos().x());
  } else if (event->buttons() == Qt::NoButton) {
    show_brush_cursor(event->pos());
    light_legend(event->pos());
  }
}

void Timeline::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || scene() == nullptr) {
    return;
  }
  if (drag_ == Drag::kMaybe) {
    select_at(pressed_);
  } else if (drag_ == Drag::kRange) {
    end_range();
  } else if (drag_ == Drag::kMinimap) {
    release_minimap(event->pos().x());
  }
  drag_ = Drag::kNothing;
  show_brush_cursor(event->pos());
}

void Timeline::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || scene() == nullptr) {
    return;
  }
  const auto node = node_at(event->pos().y());
  if (event->pos().x() < layout_now().label_px) {
    if (node) {
      change_lanes([](LaneState& lanes, const LaneKey& lane) {
        set_open(lanes, lane, !is_open(lanes, lane));
      });
    }
    return;
  }
  if (const auto span = span_near(event->pos())) {
    select(*span, time_at(event->pos().x()));
    ViewState next = state_;
    next.shown = fitted(state_.shown, state_.selection->time, run());
    change(std::move(next));
  }
}

void Timeline::go_to_lane_at(const QPoint& at) {
  const auto node = node_at(at.y());
  if (!node) {
    return;
  }
  ViewState next = state_;
  next.lane = scene()->tree().nodes[*node].key;
  change(std::move(next));
  announce(lane_text(*scene(), *state_.lane));
}

void Timeline::contextMenuEvent(QContextMenuEvent* event) {
  if (scene() == nullptr) {
    return;
  }
  const Layout layout = layout_now();
  QPoint at = event->pos();
  if (event->reason() == QContextMenuEvent::Keyboard) {
    // The menu of what the keyboard is on opens where that is.
    at = {std::clamp(static_cast<int>(x_at(state_.cursor_us)), layout.label_px, layout.width - 1),
          layout.rows_top()};
    Q_EMIT menu_asked(TimelinePart::kLanes, viewport()->mapToGlobal(at));
    return;
  }
  const auto range = selected_range(state_);
  const std::int64_t t_us = time_at(at.x());
  if (at.x() < layout.label_px) {
    go_to_lane_at(at);
    Q_EMIT menu_asked(TimelinePart::kLabels, event->globalPos());
  } else if (layout.ruler().contains(at)) {
    play_to(t_us);
    Q_EMIT menu_asked(TimelinePart::kRuler, event->globalPos());
  } else if (layout.lanes().contains(at)) {
    // A menu about a range leaves it selected.
    if (range && t_us >= range->begin_us && t_us < range->end_us) {
      play_to(t_us);
    } else {
      select_at(at);
    }
    Q_EMIT menu_asked(TimelinePart::kLanes, event->globalPos());
  }
}

bool Timeline::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip || scene() == nullptr) {
    return QAbstractScrollArea::viewportEvent(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto node = node_at(help->pos().y());
  QString text = note_text_at(help->pos());
  const bool is_in_lane = node && help->pos().x() >= layout_now().label_px;
  const QString many = is_in_lane ? many_text(*scene(), *node, time_at(help->pos().x()),
                                              time_at(help->pos().x() + 1))
                                  : QString();
  if (const FaultMark* mark = text.isEmpty() ? mark_at(help->pos()) : nullptr) {
    text = mark_text(*mark);
  }
  if (!text.isEmpty()) {
    // A note, or the mark of faults.
  } else if (const auto span = span_near(help->pos())) {
    text = long_text(*scene(), *span) + more_text(*span);
  } else if (node) {
    text = lane_text(*scene(), scene()->tree().nodes[*node].key);
    const auto content = content_of(scene()->tree(), *node);
    if (const Content of = content.size() == 1 ? content_from(content.front().id) : Content{};
        of.is_counter && help->pos().x() >= layout_now().label_px) {
      const auto value = value_at(scene()->counter(of.index), time_at(help->pos().x()));
      const Curve* curve = scene()->curve(of.index);
      text +=
          QStringLiteral("\n") + (!value   ? tr("no value yet")
                                  : !curve ? QString::number(*value)
                                           : QString::fromStdString(value_text(*curve, *value)));
    }
  }
  if (!many.isEmpty()) {
    text = text.isEmpty() ? many : many + QStringLiteral("\n") + text;
  }
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), as_tooltip(text), viewport());
  }
  return true;
}

}  // namespace aftershock::gui
