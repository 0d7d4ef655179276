#include "gui/timeline/timeline.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QEvent>
#include <QFontMetrics>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStatusTipEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gui/theme/look.h"
#include "gui/view/ruler.h"
#include "gui/view/wall_time.h"

namespace aftershock::gui {

Timeline::Timeline(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  viewport()->setMouseTracking(true);
  setAccessibleName(tr("Timeline"));
  verticalScrollBar()->setAccessibleName(tr("Lanes"));
}

Scene* Timeline::scene() const { return session_ != nullptr ? session_->scene() : nullptr; }

void Timeline::set_session(RunSession* session) {
  if (session_ != nullptr) {
    Q_EMIT leaving();
    session_->disconnect(this);
  }
  session_ = session;
  state_ = {};
  first_lanes_ = {};
  known_run_ = run();
  state_.shown = limits_of(known_run_);
  history_ = History<ViewState>(state_);
  if (session_ != nullptr) {
    connect(session_, &RunSession::grown, this, &Timeline::take_growth);
  }
  take_growth(true);
}

void Timeline::set_theme(Theme theme) {
  theme_ = theme;
  redraw();
}

void Timeline::set_wall_clock(bool on) {
  wall_clock_ = on;
  redraw();
}

TimeRange Timeline::run() const {
  const std::int64_t last = session_ != nullptr ? session_->trace().last_us : 0;
  return {0, std::clamp<std::int64_t>(std::max(last, least_end_us_), 1, kFurthest_us / 2)};
}

void Timeline::set_least_end(std::int64_t t_us) {
  if (t_us != least_end_us_) {
    least_end_us_ = t_us;
    take_growth(false);
  }
}

void Timeline::take_growth(bool other_lanes) {
  const bool showed_all = state_.shown == limits_of(known_run_);
  known_run_ = run();
  state_.shown = showed_all ? limits_of(known_run_) : clamped(state_.shown, known_run_);
  events_known_ = false;
  fault_times_.clear();
  if (session_ != nullptr) {
    for (const Fault& fault : session_->trace().faults) {
      fault_times_.push_back(fault.t_us);
    }
  }
  find_ends();
  take_outcomes();
  if (Scene* now = scene(); now != nullptr && other_lanes) {
    open_first_lanes();
    list_rows();
  } else if (now == nullptr) {
    rows_ = {};
    place_scrollbar();
  }
  redraw();
  Q_EMIT state_changed();
}

void Timeline::change(ViewState next, Joining joined) {
  next.shown = clamped(next.shown, run());
  next.cursor_us = std::clamp(next.cursor_us, run().begin_us, run().end_us);
  if (next == state_) {
    return;
  }
  const bool other_lanes = next.lanes != state_.lanes;
  const bool other_picture = other_lanes || next.shown != state_.shown;
  const bool cursor = next.cursor_us != state_.cursor_us;
  const bool selection = next.selection != state_.selection;
  state_ = std::move(next);
  history_.go(state_, joined == Joining::kJoined);
  if (other_lanes) {
    list_rows();
  }
  if (other_picture) {
    redraw_times();
  }
  viewport()->update();
  if (cursor) {
    Q_EMIT cursor_moved(state_.cursor_us);
  }
  if (selection) {
    Q_EMIT selection_changed();
  }
  Q_EMIT state_changed();
}

void Timeline::list_rows() {
  Scene* now = scene();
  if (now == nullptr) {
    return;
  }
  const auto first = static_cast<std::uint32_t>(verticalScrollBar()->value());
  // The lane that the keyboard is on stays where it is, else the first.
  std::optional<LaneKey> kept = state_.lane;
  std::uint32_t below = 0;
  if (!rows_.nodes.empty() && rows_.row_of.size() != now->tree().nodes.size()) {
    kept.reset();  // rows of a tree that has grown since: what is in view stays where it is
  } else if (first < rows_.nodes.size()) {
    const std::uint32_t row = kept ? row_near(now->tree(), rows_, *kept) : kNowhere;
    if (row != kNowhere && row >= first && row - first < 500) {
      below = row - first;
    } else if (!kept) {
      kept = now->tree().nodes[rows_.nodes[first]].key;
    }
  }
  if (now->options().open_runs != state_.lanes.open_runs) {
    TreeOptions options = now->options();
    options.open_runs = state_.lanes.open_runs;
    now->set_options(std::move(options));
    redraw();
  }
  rows_ = make_rows(now->directory(), now->tree(), state_.lanes);
  place_scrollbar();
  if (kept) {
    verticalScrollBar()->setValue(static_cast<int>(first_row_for(
        now->tree(), rows_, *kept, below, static_cast<std::uint32_t>(layout_now().whole_rows()))));
  }
  cache_.has_labels = false;
  redraw_times();
}

std::optional<LaneKey> Timeline::top_lane() const {
  const auto row = static_cast<std::size_t>(verticalScrollBar()->value());
  return scene() != nullptr && row < rows_.nodes.size()
             ? std::optional(scene()->tree().nodes[rows_.nodes[row]].key)
             : std::nullopt;
}

void Timeline::show_at_top(const LaneKey& lane) {
  const std::uint32_t row = scene() == nullptr ? kNowhere : row_near(scene()->tree(), rows_, lane);
  if (row != kNowhere) {
    verticalScrollBar()->setValue(static_cast<int>(row));
  }
}

void Timeline::place_scrollbar() {
  const int whole = layout_now().whole_rows();
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(rows_.nodes.size()) - whole));
  verticalScrollBar()->setPageStep(whole);
}

/// All of it.
void Timeline::redraw() {
  cache_ = {};
  redraw_times();
}

/// Redraws the parts that follow from the times that are shown.
void Timeline::redraw_times() {
  is_stale_ = true;
  viewport()->update();
}

int Timeline::row_px() const {
  if (row_px_ > 0) {
    return row_px_;
  }
  // Few lanes are given more room.
  const int text_px = fontMetrics().height();
  const int rows = std::max<int>(1, static_cast<int>(rows_.nodes.size() + rows_.pinned.size()));
  const Layout whole = make_layout(1, viewport()->height(), text_px, 1, 0, !notes_.empty());
  const int room = whole.rows_bottom() - whole.rows_top();
  return std::clamp(room / rows, text_px + 6, text_px * 2);
}

Layout Timeline::layout_now() const {
  return make_layout(viewport()->width(), viewport()->height(), fontMetrics().height(), row_px(),
                     static_cast<int>(rows_.pinned.size()), !notes_.empty());
}

TimeAxis Timeline::axis_now() const {
  const double scale = viewport()->devicePixelRatioF();
  const int width = std::max(1, static_cast<int>(std::lround(layout_now().time_width() * scale)));
  // The drawing follows from the range alone: the cursor moves over a picture that stays.
  const TimeRange& shown = state_.shown;
  return axis_of(shown, width, shown.begin_us / 2 + shown.end_us / 2);
}

std::int64_t Timeline::time_at(int x) const {
  const double scale = viewport()->devicePixelRatioF();
  const TimeAxis axis = axis_now();
  const auto pixel = static_cast<int>(std::lround((x - layout_now().label_px) * scale));
  return time_of(axis, std::clamp(pixel, 0, axis.width_px));
}

double Timeline::x_at(std::int64_t t_us) const {
  return layout_now().label_px + x_on(axis_now(), t_us) / viewport()->devicePixelRatioF();
}

double Timeline::us_a_pixel() const {
  const TimeAxis axis = axis_now();
  return static_cast<double>(length_us(axis)) / axis.width_px * viewport()->devicePixelRatioF();
}

std::optional<std::uint32_t> Timeline::node_at(int y) const {
  const Layout layout = layout_now();
  if (scene() == nullptr || y < layout.rows_top() || y >= layout.rows_bottom()) {
    return std::nullopt;
  }
  if (y < layout.scrolled_top()) {
    return rows_.pinned[static_cast<std::size_t>((y - layout.rows_top()) / layout.row_px)];
  }
  const auto row = static_cast<std::size_t>(verticalScrollBar()->value() +
                                            (y - layout.scrolled_top()) / layout.row_px);
  return row < rows_.nodes.size() ? std::optional(rows_.nodes[row]) : std::nullopt;
}

Frame Timeline::frame_now() {
  Frame frame{*scene(), rows_, state_};
  frame.layout = layout_now();
  frame.axis = axis_now();
  frame.run = run();
  frame.first_row = static_cast<std::uint32_t>(verticalScrollBar()->value());
  frame.scale = viewport()->devicePixelRatioF();
  frame.theme = theme_;
  frame.font = font();
  if (wall_clock_) {
    const auto start = run_start(session_->trace().header.start);
    frame.start_us = start ? std::optional(start->us) : std::nullopt;
  }
  frame.fault_times = fault_times_;
  frame.ends = ends_;
  frame.span_ends = &session_->span_ends();
  frame.notes = notes_;
  frame.note_index = &note_index_;
  frame.selected_note = selected_note_;
  frame.outcomes = outcomes_;
  frame.hidden_kinds = hidden_kinds_;
  frame.lit = lit_;
  return frame;
}

void Timeline::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  if (scene() == nullptr) {
    painter.fillRect(viewport()->rect(), QColor(inks(theme_).lane));
    painter.setPen(QColor(inks(theme_).text_dim));
    painter.drawText(viewport()->rect(), Qt::AlignCenter,
                     session_ != nullptr && session_->is_reading() ? tr("Reading…") : QString());
    return;
  }
  const double scale = viewport()->devicePixelRatioF();
  const QSize size = (QSizeF(viewport()->size()) * scale).toSize();
  if (is_stale_ || picture_.size() != size) {
    QElapsedTimer since;
    since.start();
    if (picture_.size() != size) {
      picture_ = QImage(size, QImage::Format_RGB32);
      picture_.setDevicePixelRatio(scale);
      cache_ = {};
    }
    Canvas canvas(picture_);
    Frame frame = frame_now();
    frame.cache = &cache_;
    draw_frame(frame, canvas);
    is_stale_ = false;
    drawn_ms_ = static_cast<double>(since.nsecsElapsed()) / 1e6;
  }
  for (const QRect& part : event->region()) {
    painter.drawImage(part, picture_, QRectF(QPointF(part.topLeft()) * scale, part.size() * scale));
  }
  draw_overlay(painter);
}

void Timeline::draw_overlay(QPainter& painter) {
  const Layout layout = layout_now();
  const Inks& ink = inks(theme_);
  const auto top_of = [&](const LaneKey& lane) -> std::optional<int> {
    const std::uint32_t row = row_near(scene()->tree(), rows_, lane);
    const int at = row == kNowhere ? -1 : static_cast<int>(row) - verticalScrollBar()->value();
    return at < 0 || at >= layout.seen_rows()
               ? std::nullopt
               : std::optional(layout.scrolled_top() + at * layout.row_px);
  };
  if (const auto top = state_.lane ? top_of(*state_.lane) : std::nullopt) {
    QColor tint(ink.accent);
    painter.fillRect(0, *top, 3, layout.row_px, tint);
    tint.setAlpha(hasFocus() ? 60 : 30);
    painter.fillRect(3, *top, layout.left() - 4, layout.row_px, tint);
  }
  painter.setClipRect(QRect(layout.label_px, layout.minimap_px, layout.time_width(),
                            std::max(0, layout.rows_bottom() - layout.minimap_px)));
  if (state_.selection && state_.selection->lane) {
    if (const auto top = top_of(*state_.selection->lane)) {
      const double from = std::max(x_at(state_.selection->time.begin_us), layout.label_px - 2.0);
      const double to = std::min(x_at(state_.selection->time.end_us), layout.width + 10.0);
      painter.setPen(QPen(QColor(ink.selection), 2));
      painter.drawRect(QRectF(from, *top + 1, std::max(3.0, to - from), layout.row_px - 2));
    }
  }
  draw_range(painter);
  const double cursor = x_at(state_.cursor_us);
  if (cursor >= layout.label_px && cursor <= layout.width) {
    painter.fillRect(
        QRectF(std::floor(cursor), layout.minimap_px + layout.ruler_px / 2.0, 1, layout.height),
        QColor(ink.cursor));
    const double top = layout.rows_top() - 8.0;
    const double x = std::floor(cursor) + 0.5;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(ink.cursor));
    painter.drawPolygon(QPolygonF({{x - 5, top}, {x + 5, top}, {x, top + 8}}));
  }
}

void Timeline::resizeEvent(QResizeEvent* /*event*/) {
  // Verdicts above the lanes come after them and take some of their height.
  if (scene() != nullptr && !history_.can_back() && open_first_lanes()) {
    list_rows();
  }
  place_scrollbar();
  redraw();
  Q_EMIT state_changed();
}

void Timeline::scrollContentsBy(int /*dx*/, int /*dy*/) {
  cache_.has_labels = false;
  redraw_times();
}

void Timeline::changeEvent(QEvent* event) {
  QAbstractScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange) {
    place_scrollbar();
    redraw();
  }
}

void Timeline::announce(const QString& text) {
  announced_ = text;
  setAccessibleDescription(text);
  setStatusTip(text);
  // In the status bar, too: whoever uses keys has the pointer anywhere.
  QStatusTipEvent tip(text);
  QCoreApplication::sendEvent(this, &tip);
  QAccessibleEvent event(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
}

}  // namespace aftershock::gui
