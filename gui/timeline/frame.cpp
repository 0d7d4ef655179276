#include "gui/timeline/frame.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <string>

#include "gui/lod/scanline.h"
#include "gui/theme/glyph.h"
#include "gui/theme/look.h"
#include "gui/theme/shown_text.h"
#include "gui/timeline/describe.h"
#include "gui/timeline/draw_legend.h"
#include "gui/view/ruler.h"

namespace aftershock::gui {

namespace {

/// Where texts of the ruler must not come closer.
constexpr int kTickRoom = 110;
/// Faults nearer than this share a mark.
constexpr int kMarkRoom = 32;

void draw_mark(QPainter& painter, const Frame& frame, const QFont& font, int x,
               std::span<const std::int64_t> times, std::size_t first) {
  const Trace& trace = frame.scene.trace();
  const Layout& layout = frame.layout;
  constexpr int kSide = 11;
  const QRectF box(x - kSide / 2.0, layout.minimap_px + layout.notes_px + 2, kSide, kSide);
  Glyph glyph = glyph_of_fault(trace.texts[trace.faults[first].kind]);
  for (std::size_t i = 1; i < std::min<std::size_t>(times.size(), 64); ++i) {
    if (glyph_of_fault(trace.texts[trace.faults[first + i].kind]) != glyph) {
      glyph = Glyph::kOther;
    }
  }
  // Of whole pixels, and half of one where the box begins.
  constexpr int kRoom = 1;
  const QPointF corner(std::floor(box.left()) - kRoom, box.top() - kRoom);
  const auto name = static_cast<quint64>(Mark::kFault) + static_cast<quint64>(glyph);
  frame.stamps->draw_mark(painter, name, {kSide + 1 + 2 * kRoom, kSide + 2 * kRoom}, corner,
                          [&](QPainter& stamp) {
                            stamp.setRenderHint(QPainter::Antialiasing);
                            stamp.fillPath(glyph_path(glyph, box.translated(-corner)),
                                           QColor(look_of(Kind::kFault, frame.theme).fill));
                          });
  if (times.size() > 1) {
    painter.setPen(QColor(inks(frame.theme).text));
    frame.stamps->draw_on(
        painter, font, QPointF(box.right() + 2, box.bottom() - 1),
        times.size() > 999 ? QStringLiteral("1k+") : QString::number(times.size()));
  }
}

/// Faults above the times: one mark for those that are too close to be told apart.
void draw_marks(QPainter& painter, const Frame& frame) {
  const auto& times = frame.fault_times;
  auto at = std::ranges::lower_bound(times, frame.axis.begin_us);
  const auto end = std::lower_bound(at, times.end(), frame.axis.end_us);
  QFont small = frame.font;
  small.setPointSizeF(std::max(1.0, small.pointSizeF() * 0.8));
  const int room = static_cast<int>(std::lround(kMarkRoom * frame.scale));
  if (frame.cache != nullptr) {
    frame.cache->marks.clear();
  }
  while (at != end) {
    const double x = x_of(frame, *at);
    const int border = pixel_of(frame.axis, *at) + room;
    auto last = border >= frame.axis.width_px
                    ? end
                    : std::lower_bound(at, end, time_of(frame.axis, border));
    last = std::max(last, at + 1);
    const auto count = static_cast<std::size_t>(last - at);
    const auto first = static_cast<std::size_t>(at - times.begin());
    const int middle = static_cast<int>(std::lround(x));
    draw_mark(painter, frame, small, middle, times.subspan(first, count), first);
    if (frame.cache != nullptr) {
      constexpr int kHalf = 8;
      const int top = frame.layout.minimap_px + frame.layout.notes_px;
      const int wide = count == 1 ? 2 * kHalf : kHalf + kMarkRoom;
      frame.cache->marks.push_back({{middle - kHalf, top, wide, 2 * kHalf}, first, count});
    }
    at = last;
  }
}

void draw_ticks(QPainter& painter, const Frame& frame) {
  const Layout& layout = frame.layout;
  const TimeRange shown_range{frame.axis.begin_us, frame.axis.end_us};
  const int most = std::max(1, layout.time_width() / kTickRoom);
  const Ruler ruler = frame.start_us ? wall_ruler(shown_range, *frame.start_us, most)
                                     : simulated_ruler(shown_range, most);
  const Inks& ink = inks(frame.theme);
  const int baseline = layout.rows_top() - 6;
  for (const Tick& tick : ruler.ticks) {
    const int x = static_cast<int>(std::lround(x_of(frame, tick.t_us)));
    QColor line(ink.text_dim);
    painter.fillRect(x, layout.rows_top() - 5, 1, 5, line);
    line.setAlpha(44);
    painter.fillRect(x, layout.rows_top(), 1, layout.height - layout.rows_top(), line);
    painter.setPen(QColor(ink.text));
    const QString label = QString::fromStdString(tick.label);
    const int width = frame.stamps->width_of(frame.font, label);
    const int from = std::clamp(x - width / 2, layout.label_px + 2,
                                std::max(layout.label_px + 2, layout.width - width - 2));
    frame.stamps->draw_on(painter, frame.font, QPointF(from, baseline), label);
  }
}

}  // namespace

double x_on(const TimeAxis& axis, std::int64_t t_us) {
  const double us_a_px = static_cast<double>(length_us(axis)) / axis.width_px;
  return (static_cast<double>(t_us) - static_cast<double>(axis.begin_us)) / us_a_px;
}

double x_of(const Frame& frame, std::int64_t t_us) {
  return frame.layout.label_px + x_on(frame.axis, t_us) / frame.scale;
}

std::uint32_t drawn_node(const Frame& frame, std::uint32_t node) {
  const LaneTree& tree = frame.scene.tree();
  LaneKey key = tree.nodes[node].key;
  const bool is_work = key.section == Section::kJobs || key.section == Section::kExperiments;
  if (!is_work || key.facet != Facet::kWhole || is_open(frame.state.lanes, key)) {
    return node;
  }
  key.facet = Facet::kPhases;
  return find(tree, key).value_or(node);
}

std::vector<std::uint32_t> summary_nodes(const Frame& frame) {
  constexpr std::size_t kMost = 12;
  std::vector<std::uint32_t> nodes;
  const LaneTree& tree = frame.scene.tree();
  for (std::uint32_t at = 0; at < tree.nodes.size() && nodes.size() <= kMost;
       at = std::max(at + 1, tree.nodes[at].end)) {
    LaneKey key = tree.nodes[at].key;
    if (key.section == Section::kJobs) {
      key.facet = Facet::kPhases;
      nodes.push_back(find(tree, key).value_or(at));
    } else if (key.section == Section::kExperiments) {
      nodes.push_back(at);
    }
  }
  return nodes.size() <= kMost ? nodes : std::vector<std::uint32_t>{};
}

std::vector<ShownRow> shown_rows(const Frame& frame) {
  std::vector<ShownRow> shown_now;
  const Layout& layout = frame.layout;
  for (int i = 0; i < layout.pinned; ++i) {
    shown_now.push_back({frame.rows.pinned[static_cast<std::size_t>(i)],
                         layout.rows_top() + i * layout.row_px, false});
  }
  for (int i = 0; i < layout.seen_rows(); ++i) {
    const std::size_t row = frame.first_row + static_cast<std::size_t>(i);
    if (row >= frame.rows.nodes.size()) {
      break;
    }
    shown_now.push_back(
        {frame.rows.nodes[row], layout.scrolled_top() + i * layout.row_px, row % 2 == 1});
  }
  return shown_now;
}

namespace {

/// The ground behind lanes, where there are none.
void fill_below(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas) {
  const Layout& layout = frame.layout;
  const int bottom = rows.empty() ? layout.rows_top() : rows.back().top + layout.row_px;
  const std::vector<Rgb> lane(static_cast<std::size_t>(frame.axis.width_px),
                              inks(frame.theme).lane);
  canvas.fill_rows(static_cast<int>(std::lround(bottom * frame.scale)), canvas.height(), lane);
}

}  // namespace

void draw_frame(const Frame& given, Canvas& canvas) {
  GlyphCache own;
  Frame frame = given;
  frame.stamps = frame.cache != nullptr ? &frame.cache->stamps : &own;
  const std::vector<ShownRow> rows = shown_rows(frame);
  if (frame.cache == nullptr || frame.cache->minimap.isNull()) {
    canvas.fill(inks(frame.theme).lane);
  } else {
    fill_below(frame, rows, canvas);
  }
  if (frame.layout.time_width() > 0) {
    draw_lanes(frame, rows, canvas);
    draw_span_ends(frame, rows, canvas);
    draw_ends(frame, rows, canvas);
    draw_cuts(frame, rows, canvas);
    draw_ruler(frame, canvas);
    draw_notes(frame, canvas);
    draw_minimap(frame, canvas);
  }
  if (frame.cache == nullptr || !frame.cache->has_labels) {
    draw_labels(frame, rows, canvas);
  }
  draw_legend(frame, canvas);
  if (frame.cache != nullptr) {
    frame.cache->has_labels = true;
  }
}

namespace {

/// A lane's name; of one that stands by itself, pinned, with what it is of.
QString label_text(const Frame& frame, const ShownRow& row) {
  const LaneTree::Node& node = frame.scene.tree().nodes[row.node];
  const QString own = shown_text(label_of(frame.scene.directory(), node.key));
  const bool is_pinned = row.top < frame.layout.scrolled_top();
  if (!is_pinned || node.key.facet == Facet::kWhole) {
    return own;
  }
  LaneKey whole = node.key;
  whole.facet = Facet::kWhole;
  whole.item = -1;
  return shown_text(label_of(frame.scene.directory(), whole)) + QStringLiteral(" ") + own;
}

}  // namespace

void draw_labels(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas) {
  const Inks& ink = inks(frame.theme);
  const Layout& layout = frame.layout;
  QPainter& painter = canvas.painter();
  painter.fillRect(0, 0, layout.left(), layout.height, QColor(ink.window));
  const QFontMetrics metrics(frame.font);
  painter.setFont(frame.font);
  for (const ShownRow& row : rows) {
    const LaneTree::Node& node = frame.scene.tree().nodes[row.node];
    const int x = 4 + static_cast<int>(node.depth) * 12;
    const double middle = row.top + layout.row_px / 2.0;
    if (row.alternate) {
      painter.fillRect(0, row.top, layout.left(), layout.row_px, QColor(ink.lane_alternate));
    }
    if (node.end > row.node + 1 && layout.row_px >= 10) {
      QPolygonF triangle;
      if (is_open(frame.state.lanes, node.key)) {
        triangle << QPointF(x, middle - 2) << QPointF(x + 8, middle - 2)
                 << QPointF(x + 4, middle + 3);
      } else {
        triangle << QPointF(x + 2, middle - 4) << QPointF(x + 7, middle)
                 << QPointF(x + 2, middle + 4);
      }
      painter.setRenderHint(QPainter::Antialiasing);
      painter.setPen(Qt::NoPen);
      painter.setBrush(QColor(ink.text_dim));
      painter.drawPolygon(triangle);
      painter.setRenderHint(QPainter::Antialiasing, false);
    }
    if (layout.row_px >= metrics.height() - 4) {
      const QRect box(x + 13, row.top, layout.left() - x - 19, layout.row_px);
      QFont weighted = frame.font;
      weighted.setBold(node.depth == 0);
      painter.setFont(weighted);
      painter.setPen(QColor(ink.text));
      const QString name = label_text(frame, row);
      painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                       QFontMetrics(weighted).elidedText(name, Qt::ElideRight, box.width()));
    }
  }
  painter.setFont(frame.font);
  // The groups of the first row, where they have scrolled away.
  QStringList above;
  for (const std::uint32_t node : sticky_groups(frame.scene.tree(), frame.rows, frame.first_row)) {
    above << shown_text(label_of(frame.scene.directory(), frame.scene.tree().nodes[node].key));
  }
  const QRect corner(6, layout.minimap_px, layout.left() - 12, layout.ruler_px - 4);
  painter.fillRect(0, 0, layout.left(), layout.rows_top(), QColor(ink.window));
  painter.setPen(QColor(ink.text_dim));
  painter.drawText(
      corner, Qt::AlignBottom | Qt::AlignLeft | Qt::TextSingleLine,
      metrics.elidedText(above.join(QStringLiteral(" › ")), Qt::ElideLeft, corner.width()));
  painter.drawText(QRect(6, 0, layout.left() - 12, layout.minimap_px), Qt::AlignVCenter,
                   metrics.elidedText(QCoreApplication::translate("Timeline", "whole run"),
                                      Qt::ElideRight, corner.width()));
  painter.fillRect(layout.left() - 1, 0, 1, layout.height, QColor(ink.grid));
}

void draw_ruler(const Frame& frame, Canvas& canvas) {
  const Inks& ink = inks(frame.theme);
  const Layout& layout = frame.layout;
  QPainter& painter = canvas.painter();
  painter.fillRect(layout.ruler(), QColor(ink.window));
  painter.setClipRect(QRect(layout.label_px, 0, layout.time_width(), layout.height));
  draw_ticks(painter, frame);
  draw_marks(painter, frame);
  painter.fillRect(layout.label_px, layout.rows_top() - 1, layout.time_width(), 1,
                   QColor(ink.grid));
}

}  // namespace aftershock::gui
