#include <QColor>
#include <QFontMetrics>
#include <QList>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "gui/theme/look.h"
#include "gui/timeline/frame.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

/// Marks nearer than this are one.
constexpr double kMarkRoom_px = 3;

/// Least and most of a run of pixels that show the same.
struct Level {
  int begin_px = 0;
  int end_px = 0;
  std::int64_t least = 0;
  std::int64_t most = 0;
};

/// Nothing is known of it after the last record, also where time goes on beside another run.
std::int64_t known_until(const Frame& frame) {
  return std::min(frame.run.end_us, std::max<std::int64_t>(frame.scene.trace().last_us, 1));
}

/// Costs the samples in view and the pixels.
std::vector<Level> levels_of(const Frame& frame, const Counter& counter) {
  std::vector<Level> levels;
  const std::size_t known = std::min(counter.t_us.size(), counter.value.size());
  auto at = static_cast<std::size_t>(std::ranges::lower_bound(counter.t_us, frame.axis.begin_us) -
                                     counter.t_us.begin());
  std::optional<std::int64_t> value;
  if (at > 0) {
    value = counter.value[at - 1];
  }
  const std::int64_t until_us = known_until(frame);
  for (int x = 0; x < frame.axis.width_px; ++x) {
    if (time_of(frame.axis, x) > until_us) {
      break;
    }
    const std::int64_t border_us = time_of(frame.axis, x + 1);
    std::optional<std::int64_t> least = value;
    std::optional<std::int64_t> most = value;
    for (; at < known && counter.t_us[at] < border_us; ++at) {
      value = counter.value[at];
      least = std::min(least.value_or(*value), *value);
      most = std::max(most.value_or(*value), *value);
    }
    if (!most) {
      continue;
    }
    if (!levels.empty() && levels.back().end_px == x && levels.back().least == *least &&
        levels.back().most == *most) {
      ++levels.back().end_px;
    } else {
      levels.push_back({x, x + 1, *least, *most});
    }
  }
  return levels;
}

/// From the least that is shown to the most: it is the same whatever is in view.
std::pair<double, double> range_of(const Counter& counter, const Curve* curve) {
  const auto [low, high] = std::ranges::minmax_element(counter.value);
  auto most = static_cast<double>(*high);
  if (curve != nullptr && curve->limit) {
    most = std::max(most, static_cast<double>(*curve->limit));
  } else if (curve != nullptr && curve->unit == "%") {
    most = 100 * std::pow(10, curve->decimals);
  }
  const auto least = static_cast<double>(std::min<std::int64_t>(0, *low));
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

/// What it stood at last, at the right of what is known of it in view: what lies behind it is made
/// faint by `is_behind`, the text comes over all.
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
  const int width = QFontMetrics(frame.font).horizontalAdvance(text);
  if (right - width < box.left()) {
    return;
  }
  // The line may pass behind it.
  QColor behind(inks(frame.theme).lane);
  behind.setAlpha(190);
  if (is_behind) {
    painter.fillRect(QRectF(right - width - 3, box.top(), width + 6, box.height()), behind);
    return;
  }
  painter.setFont(frame.font);
  painter.setPen(QColor(inks(frame.theme).text));
  painter.drawText(QRectF(right - width, box.top() - 2, width, box.height() + 4),
                   Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, text);
}

}  // namespace

void draw_counter(const Frame& frame, QPainter& painter, const QRectF& box, std::uint32_t index) {
  const Counter& counter = frame.scene.counter(index);
  const Curve* curve = frame.scene.curve(index);
  if (counter.t_us.empty() || counter.value.size() < counter.t_us.size()) {
    return;
  }
  const auto [low, high] = range_of(counter, curve);
  const auto y_of = [&, least = low, range = high - low](std::int64_t value) {
    return box.bottom() - 1 -
           (static_cast<double>(value) - least) / range * std::max(0.0, box.height() - 2);
  };
  const QColor line(inks(frame.theme).accent);
  QColor area = line;
  area.setAlpha(50);
  const double dot = 1 / frame.scale;
  const auto in_pixels = [&](double logical) {
    return static_cast<int>(std::lround(logical * frame.scale));
  };
  const int line_px = std::max(1, in_pixels(1.5));
  const int bottom = in_pixels(box.bottom());
  // Rectangles of whole pixels are filled as such, others as paths; all of a colour at once.
  QList<QRect> areas;
  QList<QRect> lines;
  for (const Level& level : levels_of(frame, counter)) {
    const int left = in_pixels(box.left()) + level.begin_px;
    const int width = level.end_px - level.begin_px;
    const int top = in_pixels(y_of(level.most));
    areas << QRect(left, top, width, bottom - top);
    lines << QRect(left, top, width, std::max(line_px, in_pixels(y_of(level.least)) - top));
  }
  painter.save();
  painter.scale(dot, dot);
  painter.setPen(Qt::NoPen);
  painter.setBrush(area);
  painter.drawRects(areas);
  painter.setBrush(line);
  painter.drawRects(lines);
  painter.restore();
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
