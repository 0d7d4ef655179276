#include <QColor>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "gui/lod/extremes.h"
#include "gui/theme/look.h"
#include "gui/timeline/frame.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

/// Marks nearer than this are one.
constexpr double kMarkRoom_px = 3;

/// Nothing is known of it after the last record, also where time goes on beside another run.
std::int64_t known_until(const Frame& frame) {
  return std::min(frame.run.end_us, std::max<std::int64_t>(frame.scene.trace().last_us, 1));
}

/// The first of the times, in order, that is not before `t_us`, from `at` on. Takes time for how
/// far that is.
std::size_t first_from(std::span<const std::int64_t> times_us, std::int64_t t_us, std::size_t at) {
  std::size_t step = 1;
  while (at + step < times_us.size() && times_us[at + step] < t_us) {
    at += step;
    step *= 2;
  }
  const auto from = times_us.begin() + static_cast<std::ptrdiff_t>(at);
  const auto to =
      times_us.begin() + static_cast<std::ptrdiff_t>(std::min(at + step, times_us.size()));
  return static_cast<std::size_t>(std::lower_bound(from, to, t_us) - times_us.begin());
}

/// The levels of each pixel: the least and the most of it; none before the first sample and after
/// the last record. Takes time for the pixels, not for the samples.
std::vector<Extremes> levels_of(const Frame& frame, const Columns& columns, const Counter& counter,
                                const ExtremeLevels& levels) {
  const TimeAxis& axis = frame.axis;
  std::vector<Extremes> shown(static_cast<std::size_t>(axis.width_px));
  const auto begin_of = [&](int x) {
    return columns.count() == axis.width_px ? columns.begin_us(x) : time_of(axis, x);
  };
  const std::span<const std::int64_t> times_us(counter.t_us);
  std::size_t at = first_from(times_us, axis.begin_us, 0);
  const std::int64_t until_us = known_until(frame);
  for (int x = 0; x < axis.width_px && begin_of(x) <= until_us; ++x) {
    Extremes level;
    if (at > 0) {
      level.meet(counter.value[at - 1]);
    }
    // As it was, up to the pixel of the next sample.
    const std::int64_t next_us = at < times_us.size() ? times_us[at] : kFurthest_us;
    while (x < axis.width_px && begin_of(x) <= until_us && begin_of(x + 1) <= next_us) {
      shown[static_cast<std::size_t>(x++)] = level;
    }
    if (x == axis.width_px || begin_of(x) > until_us) {
      break;
    }
    const std::size_t end = first_from(times_us, begin_of(x + 1), at);
    level.meet(levels.of(counter.value, at, end));
    shown[static_cast<std::size_t>(x)] = level;
    at = end;
  }
  return shown;
}

/// From the least that is shown to the most: it is the same whatever is in view.
std::pair<double, double> range_of(const Extremes& all, const Curve* curve) {
  auto most = static_cast<double>(all.most);
  if (curve != nullptr && curve->limit) {
    most = std::max(most, static_cast<double>(*curve->limit));
  } else if (curve != nullptr && curve->unit == "%") {
    most = 100 * std::pow(10, curve->decimals);
  }
  const auto least = static_cast<double>(std::min<std::int64_t>(0, all.least));
  return {least, std::max(most, least + 1)};
}

void draw_marks_of(const Frame& frame, QPainter& painter, const QRectF& box, const Curve& curve) {
  const auto first =
      std::ranges::lower_bound(curve.marks, frame.axis.begin_us, {}, &CurveMark::t_us);
  const QColor counts(look_of(Kind::kFault, frame.theme).fill);
  const QColor exempt(inks(frame.theme).text_dim);
  double last_x = -kMarkRoom_px;
  bool last_counts = false;
  for (auto mark = first; mark != curve.marks.end() && mark->t_us < frame.axis.end_us; ++mark) {
    const double x = std::floor(x_of(frame, mark->t_us));
    if (x - last_x < kMarkRoom_px && (last_counts || !mark->counts)) {
      continue;
    }
    // One that counts stands on the floor, one that is exempt hangs short.
    const double height = mark->counts ? box.height() / 2 : box.height() / 4;
    painter.fillRect(QRectF(x - 1, box.bottom() - height, 2, height),
                     mark->counts ? counts : exempt);
    last_x = x;
    last_counts = mark->counts;
  }
}

/// The last value, at the right of its known part in view: the ground behind it is made faint, with
/// `is_behind` before there are marks, and again for the text, which comes over all.
void draw_value(const Frame& frame, QPainter& painter, const QRectF& box, const Counter& counter,
                const Curve* curve, bool is_behind) {
  const std::int64_t last_us = std::min(frame.axis.end_us, known_until(frame) + 1) - 1;
  const auto value = value_at(counter, last_us);
  if (!value || box.height() < frame.layout.text_px - 4) {
    return;
  }
  const QString text = curve != nullptr ? QString::fromStdString(value_text(*curve, *value))
                                        : QString::number(*value);
  const double right = std::min(box.right(), x_of(frame, known_until(frame))) - 4;
  const int width = frame.stamps->width_of(frame.font, text);
  // Beyond what is known of it all is covered.
  if (right - width < std::max(box.left(), x_of(frame, frame.run.begin_us))) {
    return;
  }
  // The line may pass behind it, and so may charges, which are still seen.
  QColor behind(inks(frame.theme).lane);
  behind.setAlpha(is_behind ? 190 : 150);
  painter.fillRect(QRectF(right - width - 3, box.top(), width + 6, box.height()), behind);
  if (is_behind) {
    return;
  }
  painter.setFont(frame.font);
  painter.setPen(QColor(inks(frame.theme).text));
  painter.drawText(QRectF(right - width, box.top() - 2, width, box.height() + 4),
                   Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, text);
}

}  // namespace

void draw_counter(const Frame& frame, Canvas& canvas, const Columns& columns, const QRectF& box,
                  Rgb background, std::uint32_t index) {
  const Counter& counter = frame.scene.counter(index);
  const Curve* curve = frame.scene.curve(index);
  if (counter.t_us.empty() || counter.value.size() < counter.t_us.size()) {
    return;
  }
  const ExtremeLevels& levels = frame.scene.extremes(index);
  const auto [low, high] = range_of(levels.of(counter.value, 0, counter.value.size()), curve);
  const auto y_of = [&, least = low, range = high - low](std::int64_t value) {
    return box.bottom() - 1 -
           (static_cast<double>(value) - least) / range * std::max(0.0, box.height() - 2);
  };
  const auto in_pixels = [&](double logical) {
    return static_cast<int>(std::lround(logical * frame.scale));
  };
  const int line_px = std::max(1, in_pixels(1.5));
  std::vector<Step> steps;
  Extremes before;
  for (const Extremes& level : levels_of(frame, columns, counter, levels)) {
    if (level.least > level.most) {
      steps.push_back(kNoStep);
    } else if (level == before) {
      steps.push_back(steps.back());
    } else {
      const int top = in_pixels(y_of(level.most));
      steps.push_back({top, std::max(top + line_px, in_pixels(y_of(level.least)))});
    }
    before = level;
  }
  const Rgb line = inks(frame.theme).accent;
  constexpr unsigned kArea = 50;
  canvas.fill_steps(in_pixels(box.bottom()), steps, line, mixed(line, background, kArea));
  QPainter& painter = canvas.painter();
  painter.setClipRect(frame.layout.lanes());
  const double dot = 1 / frame.scale;
  if (curve != nullptr && curve->limit) {
    // The end of a budget is what nobody wants to reach, that of the work what all do.
    const Inks& ink = inks(frame.theme);
    const QColor limit(curve->facet == Facet::kBudgets ? ink.warning : ink.text_dim);
    painter.setPen(QPen(limit, dot, Qt::DashLine));
    const double y = std::floor(y_of(*curve->limit)) + dot / 2;
    painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y));
  }
  draw_value(frame, painter, box, counter, curve, true);
  // Between the two: of charges none is hidden, and the number is read.
  if (curve != nullptr) {
    draw_marks_of(frame, painter, box, *curve);
  }
  draw_value(frame, painter, box, counter, curve, false);
}

}  // namespace aftershock::gui
