#include "gui/panels/delta_strip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gui/lod/time_axis.h"
#include "gui/panels/event_words.h"
#include "gui/theme/look.h"
#include "gui/view/ruler.h"

namespace aftershock::gui {

namespace {

constexpr int kStripMargin = 2;
constexpr int kMiddle = 2;   ///< height of what neither is ahead in
constexpr int kNear_px = 4;  ///< a tick is hit
constexpr std::size_t kJobsTold = 6;

QString words_of(const JobState& state) {
  switch (state.is) {
    case JobState::Is::kPhase:
      return shown_text(name_of(state.phase)).replace(u'_', u' ');
    case JobState::Is::kCompleted:
      return DeltaStrip::tr("completed");
    case JobState::Is::kNothing:
    case JobState::Is::kUnknown:
      break;
  }
  return DeltaStrip::tr("not running");
}

QString words_of(const std::optional<reports::DecisionStep>& step) {
  return step ? shown_text(step->rule) : DeltaStrip::tr("nothing further");
}

}  // namespace

DeltaStrip::DeltaStrip(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Where the runs differ"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFocusPolicy(Qt::StrongFocus);
  describe();
}

void DeltaStrip::set_runs(const Trace* a, const Trace* b) {
  a_ = a == nullptr || b == nullptr ? RunStates() : run_states(*a);
  b_ = a == nullptr || b == nullptr ? RunStates() : run_states(*b);
  divergences_.clear();
  chosen_us_ = -1;
  set_alignment(TimeMap());
}

void DeltaStrip::set_alignment(const TimeMap& map) {
  differences_ = PhaseDifferences(a_, b_, map);
  describe();
  update();
}

void DeltaStrip::set_divergences(std::vector<reports::Divergence> divergences) {
  divergences_ = std::move(divergences);
  describe();
  update();
}

void DeltaStrip::set_range(const TimeRange& shown, int left_px, int right_px) {
  shown_ = shown;
  left_px_ = left_px;
  right_px_ = right_px;
  update();
}

void DeltaStrip::set_cursor(std::optional<std::int64_t> a_us) {
  cursor_us_ = a_us;
  update();
}

void DeltaStrip::set_theme(Theme theme) {
  theme_ = theme;
  update();
}

QSize DeltaStrip::sizeHint() const {
  return {left_px_ + right_px_ + 200, fontMetrics().height() + 10};
}

QSize DeltaStrip::minimumSizeHint() const { return {0, sizeHint().height()}; }

void DeltaStrip::describe() {
  const auto hours = [this](Ahead ahead) {
    constexpr std::int64_t kSecond = 1'000'000;
    return QString::fromStdString(format_simulated(differences_.total_us(ahead), kSecond));
  };
  setAccessibleDescription(
      a_.of.empty() || b_.of.empty()
          ? tr("There are no two runs to compare.")
          : tr("A is ahead for %1, B for %2, otherwise they differ for %3. Faults "
               "answered differently: %4. Left and right go from one difference to the next.")
                .arg(hours(Ahead::kA), hours(Ahead::kB), hours(Ahead::kNeither))
                .arg(divergences_.size()));
}

TimeAxis DeltaStrip::axis() const {
  const int logical = std::max(0, width() - left_px_ - right_px_);
  const auto device = static_cast<int>(std::lround(logical * devicePixelRatioF()));
  // As the timeline has it.
  return axis_of(shown_, std::max(1, device), shown_.begin_us / 2 + shown_.end_us / 2);
}

QRectF DeltaStrip::band(Ahead ahead) const {
  const double width_px = std::max(0, width() - left_px_ - right_px_);
  const double half = (height() - 2 * kStripMargin - kMiddle) / 2.0;
  const double top = ahead == Ahead::kA   ? kStripMargin
                     : ahead == Ahead::kB ? kStripMargin + half + kMiddle
                                          : kStripMargin + half;
  return {static_cast<double>(left_px_), top, width_px, ahead == Ahead::kNeither ? kMiddle : half};
}

void DeltaStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Inks& ink = inks(theme_);
  painter.fillRect(rect(), QColor(ink.window));
  painter.fillRect(
      QRectF(left_px_, kStripMargin, band(Ahead::kA).width(), height() - 2 * kStripMargin),
      QColor(ink.lane));
  paint_labels(painter);
  const TimeAxis on = axis();
  std::vector<AheadMask> masks(static_cast<std::size_t>(on.width_px));
  for (int x = 0; x < on.width_px; ++x) {
    const std::int64_t begin_us = time_of(on, x);
    masks[static_cast<std::size_t>(x)] =
        differences_.within(begin_us, std::max(time_of(on, x + 1), begin_us + 1));
  }
  for (const Ahead ahead : {Ahead::kA, Ahead::kB, Ahead::kNeither}) {
    paint_band(painter, ahead, masks);
  }
  painter.setClipRect(QRectF(left_px_, 0, band(Ahead::kA).width(), height()));
  paint_divergences(painter);
  if (cursor_us_) {
    const double us_a_px = static_cast<double>(length_us(on)) / on.width_px * devicePixelRatioF();
    const double past_us = static_cast<double>(*cursor_us_) - static_cast<double>(on.begin_us);
    painter.fillRect(QRectF(std::round(left_px_ + past_us / us_a_px), 0, 1, height()),
                     QColor(ink.cursor));
  }
  painter.setClipping(false);
  painter.setPen(QColor(hasFocus() ? ink.accent : ink.grid));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void DeltaStrip::paint_labels(QPainter& painter) const {
  const Inks& ink = inks(theme_);
  QFont small = font();
  const QRectF upper = band(Ahead::kA);
  small.setPixelSize(std::max(6, qRound(upper.height())));
  painter.setFont(small);
  for (const Ahead ahead : {Ahead::kA, Ahead::kB}) {
    const QRectF row = band(ahead);
    const QRectF label(0, row.top() - 1, left_px_ - 3 * kStripMargin, row.height() + 2);
    painter.setPen(QColor(ahead == Ahead::kA ? ink.run_a : ink.run_b));
    painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                     ahead == Ahead::kA ? tr("A ahead") : tr("B ahead"));
  }
}

void DeltaStrip::paint_band(QPainter& painter, Ahead ahead,
                            const std::vector<AheadMask>& masks) const {
  const double scale = devicePixelRatioF();
  const Inks& ink = inks(theme_);
  const QRgb fill = ahead == Ahead::kA ? ink.run_a : ahead == Ahead::kB ? ink.run_b : ink.text_dim;
  const QBrush hatch =
      ahead == Ahead::kB ? hatch_brush(Hatch::kLost, fill, scale) : QBrush(Qt::NoBrush);
  const QRectF row = band(ahead);
  const QString letter = ahead == Ahead::kA ? QStringLiteral("A") : QStringLiteral("B");
  painter.setPen(QColor(text_on(fill)));
  const int count = static_cast<int>(masks.size());
  int from = -1;
  for (int x = 0; x <= count; ++x) {
    const bool differs = x < count && (masks[static_cast<std::size_t>(x)] & mask_of(ahead)) != 0;
    if (differs && from < 0) {
      from = x;
    } else if (!differs && from >= 0) {
      const QRectF run(row.left() + from / scale, row.top(), (x - from) / scale, row.height());
      painter.fillRect(run, QColor(fill));
      painter.fillRect(run, hatch);
      if (ahead != Ahead::kNeither && run.width() > 4 * row.height()) {
        painter.drawText(run, Qt::AlignCenter | Qt::TextDontClip, letter);
      }
      from = -1;
    }
  }
}

void DeltaStrip::paint_divergences(QPainter& painter) const {
  const TimeAxis on = axis();
  const Inks& ink = inks(theme_);
  const double size = height() / 2.0 - kStripMargin;
  double free_from = -size;
  painter.setRenderHint(QPainter::Antialiasing);
  auto at = std::ranges::lower_bound(divergences_, on.begin_us, {}, &reports::Divergence::a_us);
  int last_px = -1;
  for (; at != divergences_.end() && at->a_us < on.end_us;) {
    const int pixel = pixel_of(on, at->a_us);
    // One tick a pixel, however many there are: on with the first behind it.
    at = std::lower_bound(
        at + 1, divergences_.end(), time_of(on, pixel + 1),
        [](const reports::Divergence& each, std::int64_t t_us) { return each.a_us < t_us; });
    if (pixel == last_px) {
      continue;
    }
    last_px = pixel;
    const double x = left_px_ + pixel / devicePixelRatioF() + 0.5;
    painter.fillRect(QRectF(x - 0.5, kStripMargin, 1, height() - 2 * kStripMargin),
                     QColor(ink.text));
    if (x < free_from) {
      continue;
    }
    free_from = x + 2 * size;
    QPainterPath diamond;
    const double y = height() / 2.0;
    diamond.moveTo(x, y - size / 2);
    diamond.lineTo(x + size / 2, y);
    diamond.lineTo(x, y + size / 2);
    diamond.lineTo(x - size / 2, y);
    diamond.closeSubpath();
    painter.setPen(QPen(QColor(ink.lane), 1));
    painter.setBrush(QColor(ink.text));
    painter.drawPath(diamond);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

QString DeltaStrip::words_at(int x) const {
  if (x < left_px_) {
    return tr(
        "When one run gets on with its work and the other does not: above A, below B.\n"
        "The line between: both do something else. A diamond: their policies part.");
  }
  const TimeAxis on = axis();
  const double scale = devicePixelRatioF();
  const auto pixel = static_cast<int>(std::lround((x - left_px_) * scale));
  if (pixel >= on.width_px) {
    return {};
  }
  const std::int64_t begin_us = time_of(on, pixel);
  const std::int64_t end_us = std::max(time_of(on, pixel + 1), begin_us + 1);
  QStringList lines{QString::fromStdString(
      format_simulated(begin_us, std::max<std::int64_t>(end_us - begin_us, 1)))};
  for (const auto& [job, phase] : differences_.told(begin_us, end_us, kJobsTold)) {
    lines
        << tr("%1: A %2, B %3").arg(shown_text(job->entity), words_of(phase.a), words_of(phase.b));
  }
  const std::int64_t near_us = time_of(on, std::max(0, pixel - kNear_px));
  const auto near = std::ranges::lower_bound(divergences_, near_us, {}, &reports::Divergence::a_us);
  if (near != divergences_.end() && pixel_of(on, near->a_us) <= pixel + kNear_px) {
    lines << tr("They part at %1 (%2)").arg(shown_text(near->fault), shown_text(near->owner))
          << tr("A: %1").arg(words_of(near->a)) << tr("B: %1").arg(words_of(near->b));
  }
  return lines.size() == 1 ? QString() : lines.join(u'\n');
}

bool DeltaStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) {
    return QWidget::event(event);
  }
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = words_at(help->pos().x());
  if (text.isEmpty()) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(
        help->globalPos(),
        QStringLiteral("<p style='white-space:pre'>%1</p>").arg(text.toHtmlEscaped()), this);
  }
  return true;
}

void DeltaStrip::mousePressEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (event->button() != Qt::LeftButton || x < left_px_ || x >= width() - right_px_) {
    QWidget::mousePressEvent(event);
    return;
  }
  const TimeAxis on = axis();
  const auto pixel = static_cast<int>(std::lround((x - left_px_) * devicePixelRatioF()));
  chosen_us_ = time_of(on, std::clamp(pixel, 0, on.width_px));
  Q_EMIT time_chosen(chosen_us_);
}

void DeltaStrip::keyPressEvent(QKeyEvent* event) {
  const bool right = event->key() == Qt::Key_Right;
  if (!right && event->key() != Qt::Key_Left) {
    QWidget::keyPressEvent(event);
    return;
  }
  const std::int64_t from_us = cursor_us_.value_or(chosen_us_);
  chosen_us_ = right ? differences_.next_begin(from_us) : differences_.previous_begin(from_us);
  if (chosen_us_ != from_us) {
    Q_EMIT time_chosen(chosen_us_);
  }
}

}  // namespace aftershock::gui
