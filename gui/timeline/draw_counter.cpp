#include <QColor>
#include <QCoreApplication>
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

}  // namespace

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

namespace {

/// The steps of a job that a checkpoint holds, for the lane of its progress; else null.
const Counter* committed_of(const Frame& frame, const Curve* curve) {
  return curve != nullptr && curve->name == "progress"
             ? find_counter(frame.scene.trace(), curve->samples.entity, "committed_steps")
             : nullptr;
}

/// Bounds of a lane that scales itself: all that is in view of it, and the limit once it is near.
std::pair<double, double> range_in_view(std::span<const Extremes> levels, const Curve& curve) {
  Extremes all;
  for (const Extremes& level : levels) {
    all.meet(level);
  }
  if (all.least > all.most) {
    return {0, 1};
  }
  auto most = static_cast<double>(all.most);
  if (curve.limit && static_cast<double>(*curve.limit) < most * 1.5) {
    most = std::max(most, static_cast<double>(*curve.limit));
  }
  const auto least = static_cast<double>(all.least);
  return {least, std::max(most, least + 1)};
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

/// Marks that are too many to be told apart: in each device pixel the higher the more there are.
void draw_many_marks(const Frame& frame, QPainter& painter, const QRectF& box,
                     std::span<const CurveMark> marks) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(frame.axis.width_px));
  auto at = marks.begin();
  for (int x = 0; x < frame.axis.width_px; ++x) {
    const auto end =
        std::ranges::lower_bound(at, marks.end(), time_of(frame.axis, x + 1), {}, &CurveMark::t_us);
    counts[static_cast<std::size_t>(x)] = static_cast<std::size_t>(end - at);
    at = end;
  }
  const auto most = static_cast<double>(*std::ranges::max_element(counts));
  const QColor fault(look_of(Kind::kFault, frame.theme).fill);
  for (std::size_t x = 0; x < counts.size(); ++x) {
    if (counts[x] > 0) {
      const double height = std::max(2.0, box.height() / 2 * static_cast<double>(counts[x]) / most);
      painter.fillRect(QRectF(box.left() + static_cast<double>(x) / frame.scale,
                              box.bottom() - height, 1 / frame.scale, height),
                       fault);
    }
  }
}

void draw_marks_of(const Frame& frame, QPainter& painter, const QRectF& box, const Curve& curve) {
  const auto first =
      std::ranges::lower_bound(curve.marks, frame.axis.begin_us, {}, &CurveMark::t_us);
  const auto last = std::ranges::lower_bound(curve.marks, frame.axis.end_us, {}, &CurveMark::t_us);
  constexpr double kManyRoom_px = 2 * kMarkRoom_px;
  if (last > first &&
      static_cast<double>(last - first) * kManyRoom_px * frame.scale > frame.axis.width_px) {
    draw_many_marks(frame, painter, box, {first, last});
    return;
  }
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
  QString text = curve != nullptr ? QString::fromStdString(value_text(*curve, *value))
                                  : QString::number(*value);
  if (const Counter* committed = committed_of(frame, curve); committed != nullptr) {
    text += QCoreApplication::translate("Timeline", ", %1 committed")
                .arg(value_at(*committed, last_us).value_or(0));
  }
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

/// How high a value stands in a lane.
struct Heights {
  QRectF box;
  double scale = 1;  ///< device pixels a logical one
  double low = 0;
  double high = 1;

  [[nodiscard]] double y_of(std::int64_t value) const {
    const double part = (static_cast<double>(value) - low) / (high - low);
    return box.bottom() - 1 - std::clamp(part, 0.0, 1.0) * std::max(0.0, box.height() - 2);
  }
  [[nodiscard]] int in_pixels(double logical) const {
    return static_cast<int>(std::lround(logical * scale));
  }
};

std::vector<Step> steps_of(std::span<const Extremes> levels, const Heights& heights) {
  const int line_px = std::max(1, heights.in_pixels(1.5));
  std::vector<Step> steps;
  Extremes before;
  for (const Extremes& level : levels) {
    if (level.least > level.most) {
      steps.push_back(kNoStep);
    } else if (level == before) {
      steps.push_back(steps.back());
    } else {
      const int top = heights.in_pixels(heights.y_of(level.most));
      steps.push_back({top, std::max(top + line_px, heights.in_pixels(heights.y_of(level.least)))});
    }
    before = level;
  }
  return steps;
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
  const std::vector<Extremes> seen = levels_of(frame, columns, counter, levels);
  const Counter* committed = committed_of(frame, curve);
  const auto [low, high] = curve != nullptr && curve->name == "progress"
                               ? range_in_view(seen, *curve)
                               : range_of(levels.of(counter.value, 0, counter.value.size()), curve);
  const Heights heights{box, frame.scale, low, high};
  const Rgb line = inks(frame.theme).accent;
  constexpr unsigned kArea = 50;
  constexpr unsigned kSafeArea = 110;
  const int bottom = heights.in_pixels(box.bottom());
  const std::vector<Step> steps = steps_of(seen, heights);
  canvas.fill_steps(bottom, steps, line, mixed(line, background, kArea));
  if (committed != nullptr && committed->value.size() >= committed->t_us.size()) {
    // Between the two lines lies what a fault would take.
    const auto number = static_cast<std::uint32_t>(committed - frame.scene.trace().counters.data());
    const auto safe = levels_of(frame, columns, *committed, frame.scene.extremes(number));
    const Rgb area = mixed(line, background, kSafeArea);
    std::vector<Step> below = steps_of(safe, heights);
    for (std::size_t x = 0; x < below.size(); ++x) {
      // The line of the progress stays on top.
      if (below[x] != kNoStep && steps[x] != kNoStep) {
        below[x].top = std::max(below[x].top, steps[x].line_end);
        below[x].line_end = std::max(below[x].line_end, below[x].top);
      }
    }
    canvas.fill_steps(bottom, below, area, area);
  }
  QPainter& painter = canvas.painter();
  painter.setClipRect(frame.layout.lanes());
  const double dot = 1 / frame.scale;
  if (curve != nullptr && curve->limit && static_cast<double>(*curve->limit) <= high) {
    // The end of a budget is what nobody wants to reach, that of the work what all do.
    const Inks& ink = inks(frame.theme);
    const QColor limit(curve->facet == Facet::kBudgets ? ink.warning : ink.text_dim);
    painter.setPen(QPen(limit, dot, Qt::DashLine));
    const double y = std::floor(heights.y_of(*curve->limit)) + dot / 2;
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
