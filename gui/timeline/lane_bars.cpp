#include "gui/timeline/lane_bars.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "gui/lod/density.h"
#include "gui/timeline/describe.h"
#include "gui/trace/find.h"

namespace aftershock::gui {

namespace {

/// Things that have less room than this on an average, logical pixels, are counted.
constexpr double kRoom_px = 3;
/// So many in a pixel are counted, however few there are elsewhere.
constexpr std::size_t kCrowd = 5;

QString bars_tr(const char* text) { return QCoreApplication::translate("LaneBars", text); }

QString words_of(Facet facet) {
  switch (facet) {
    case Facet::kAttempts:
      return bars_tr("attempts");
    case Facet::kCheckpoints:
      return bars_tr("uploads and commits");
    case Facet::kDecisions:
      return bars_tr("decisions");
    default:
      return {};
  }
}

/// The lane of the trace that a row of things to count shows.
std::optional<std::uint32_t> counted_lane(const Scene& scene, std::uint32_t node) {
  const LaneKey& key = scene.tree().nodes[node].key;
  const auto content = content_of(scene.tree(), node);
  if (content.size() != 1 || words_of(key.facet).isEmpty()) {
    return std::nullopt;
  }
  const Content of = content_from(content.front().id);
  return of.is_counter ? std::nullopt : std::optional(of.index);
}

std::optional<LaneBars> share_bars(const Frame& frame, const OutCount& out,
                                   const Columns& columns) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(frame.axis.width_px));
  const auto levels = levels_of(frame, columns, out.samples, out.levels);
  std::ranges::transform(levels, counts.begin(), [](const Extremes& level) {
    return static_cast<std::size_t>(std::max<std::int64_t>(0, level.most));
  });
  const std::size_t most = *std::ranges::max_element(counts);
  LaneBars bars;
  bars.levels = bar_levels(counts, static_cast<std::size_t>(out.of));
  bars.is_share = true;
  if (most > 0) {
    bars.text = bars_tr("up to %1 of %2 out of service").arg(most).arg(out.of);
  }
  return bars;
}

/// How a closed job ended, and how far it came; else empty.
QString outcome_text(const Frame& frame, std::uint32_t node) {
  LaneKey key = frame.scene.tree().nodes[node].key;
  if (key.section != Section::kJobs || key.facet != Facet::kWhole || key.group < 0 ||
      is_open(frame.state.lanes, key)) {
    return {};
  }
  QStringList words;
  if (key.group < std::ssize(frame.outcomes)) {
    words << frame.outcomes[static_cast<std::size_t>(key.group)].text;
  }
  const auto number = frame.scene.directory().counter_index.find("progress");
  if (number != frame.scene.directory().counter_index.end()) {
    key.facet = Facet::kCounters;
    key.item = number->second;
    const auto lane = find(frame.scene.tree(), key);
    const auto content =
        lane ? content_of(frame.scene.tree(), *lane) : std::span<const LaneContent>{};
    const Curve* curve =
        content.empty() ? nullptr : frame.scene.curve(content_from(content.front().id).index);
    if (curve != nullptr && !curve->samples.value.empty()) {
      words << bars_tr("%1 steps")
                   .arg(QString::fromStdString(value_text(*curve, curve->samples.value.back())));
    }
  }
  words.removeAll(QString());
  return words.join(QStringLiteral(", "));
}

}  // namespace

std::optional<LaneBars> bars_of(const Frame& frame, std::uint32_t node, const Columns& columns) {
  if (const OutCount* out = frame.scene.out_count(node)) {
    return share_bars(frame, *out, columns);
  }
  const auto lane = counted_lane(frame.scene, node);
  if (!lane) {
    return std::nullopt;
  }
  const auto counts = count_times(frame.scene.view_of(*lane).spans.begin_us, columns);
  const std::size_t most = *std::ranges::max_element(counts);
  const auto all = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  const double width = frame.axis.width_px / frame.scale;
  if (most < 2 || (most < kCrowd && static_cast<double>(all) * kRoom_px < width)) {
    return std::nullopt;
  }
  const LaneKey& key = frame.scene.tree().nodes[node].key;
  return LaneBars{.levels = bar_levels(counts, most),
                  .text = QStringLiteral("%1 %2").arg(all).arg(words_of(key.facet))};
}

void fill_bars(Canvas& canvas, int top, int bottom, const LaneBars& bars, const BarRows& rows,
               std::vector<Rgb>& row) {
  row.resize(rows.bar.size());
  const auto y_of = [&](int levels) { return bottom - (bottom - top) * levels / kBarLevels; };
  for (int band = 0; band < kBarLevels; ++band) {
    paint_band(bars.levels, band, rows.bar, rows.ground, row);
    canvas.fill_rows(y_of(band + 1), y_of(band), row, rows.under);
  }
}

void draw_bars_text(const Frame& frame, QPainter& painter, const QRectF& box, const QString& text,
                    QRgb colour) {
  if (text.isEmpty() || box.height() < frame.layout.text_px - 4) {
    return;
  }
  const double known = x_of(frame, std::min(frame.run.end_us, frame.scene.trace().last_us));
  const int width = frame.stamps->width_of(frame.font, text);
  const double right = std::min(box.right(), known) - 4;
  if (right - width < std::max(box.left(), x_of(frame, frame.run.begin_us))) {
    return;
  }
  QColor behind(inks(frame.theme).lane);
  behind.setAlpha(200);
  painter.fillRect(QRectF(right - width - 3, box.top(), width + 6, box.height()), behind);
  painter.setFont(frame.font);
  painter.setPen(QColor(colour));
  painter.drawText(QRectF(right - width, box.top() - 2, width, box.height() + 4),
                   Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, text);
}

void draw_outcome(const Frame& frame, QPainter& painter, const QRectF& box, std::uint32_t node) {
  const QString text = outcome_text(frame, node);
  if (text.isEmpty()) {
    return;
  }
  const auto group = static_cast<std::size_t>(frame.scene.tree().nodes[node].key.group);
  const bool failed = group < frame.outcomes.size() && frame.outcomes[group].failed;
  const Inks& ink = inks(frame.theme);
  draw_bars_text(frame, painter, box, text, failed ? ink.warning : ink.text);
}

QString many_text(Scene& scene, std::uint32_t node, std::int64_t from_us, std::int64_t to_us) {
  if (const OutCount* out = scene.out_count(node)) {
    const auto value = value_at(out->samples, from_us);
    return bars_tr("%1 of %2 nodes are out of service").arg(value.value_or(0)).arg(out->of);
  }
  const auto lane = counted_lane(scene, node);
  if (!lane) {
    return {};
  }
  const auto begins = scene.view_of(*lane).spans.begin_us;
  const auto count =
      std::ranges::lower_bound(begins, to_us) - std::ranges::lower_bound(begins, from_us);
  return count < 2
             ? QString()
             : bars_tr("%1 %2 begin within %3")
                   .arg(count)
                   .arg(words_of(scene.tree().nodes[node].key.facet), time_text(to_us - from_us));
}

}  // namespace aftershock::gui
