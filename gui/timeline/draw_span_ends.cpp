#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/theme/glyph.h"
#include "gui/theme/look.h"
#include "gui/timeline/describe.h"
#include "gui/timeline/frame.h"

namespace aftershock::gui {

namespace {

/// Spans that are told apart by lines and names, at most.
constexpr std::size_t kMostSpans = 400;
constexpr int kGlyph_px = 9;
/// Around the mark.
constexpr int kSpace_px = 2;

/// The mark of the fault that ended a span, at the span's end.
void draw_end(QPainter& painter, const Frame& frame, const ShownRow& row, double x,
              const Fault& fault) {
  const Glyph glyph = glyph_of_fault(frame.scene.trace().texts[fault.kind]);
  const QRectF box(x - kGlyph_px - kSpace_px, row.top + (frame.layout.row_px - kGlyph_px) / 2.0,
                   kGlyph_px, kGlyph_px);
  const QPointF corner(std::floor(box.left()) - 1, std::floor(box.top()) - 1);
  const auto name = static_cast<quint64>(Mark::kEnd) + static_cast<quint64>(glyph);
  frame.stamps->draw_mark(
      painter, name, {kGlyph_px + 3, kGlyph_px + 3}, corner, [&](QPainter& stamp) {
        stamp.setRenderHint(QPainter::Antialiasing);
        const QRectF mark(1, 1, kGlyph_px, kGlyph_px);
        const Look look = look_of(Kind::kFault, frame.theme);
        // It can be told from the span's colour.
        stamp.fillRect(mark.adjusted(-1, -1, 1, 1), QColor(inks(frame.theme).lane));
        stamp.fillPath(glyph_path(glyph, mark), QColor(look.fill));
      });
}

/// Beside the span's name, or where there is no room for that.
bool has_room_for_mark(const Frame& frame, SpanAt at, double wide) {
  constexpr int kMark_px = kGlyph_px + 2 * kSpace_px;
  const int name = frame.stamps->width_of(frame.font, short_text(frame.scene, at)) + 8;
  return wide >= name + kMark_px || (wide >= kMark_px && wide < name);
}

}  // namespace

void draw_span_ends(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas) {
  if (frame.span_ends == nullptr || frame.layout.row_px < kGlyph_px + 3) {
    return;
  }
  const Trace& trace = frame.scene.trace();
  QPainter& painter = canvas.painter();
  painter.setClipRect(frame.layout.lanes());
  for (const ShownRow& row : rows) {
    const auto content = content_of(frame.scene.tree(), row.node);
    const Content of = content.size() == 1 ? content_from(content.front().id) : Content{};
    const auto ends = frame.span_ends->find(of.index);
    const Facet facet = frame.scene.tree().nodes[row.node].key.facet;
    if (content.size() != 1 || of.is_counter || ends == frame.span_ends->end() ||
        (facet != Facet::kAttempts && facet != Facet::kPhases)) {
      continue;
    }
    const LaneColumns& columns = trace.lanes[of.index].columns;
    const auto [first, found] = columns.overlapping(frame.axis.begin_us, frame.axis.end_us);
    const std::size_t last = std::min(found, ends->second.size());
    if (last - std::min(first, last) > kMostSpans) {
      continue;
    }
    const LaneSpans spans = columns.spans();
    for (std::size_t i = first; i < last; ++i) {
      const double x = x_of(frame, spans.end_us[i]);
      const SpanAt at{of.index, static_cast<std::uint32_t>(i)};
      const bool has_room = has_room_for_mark(frame, at, x - x_of(frame, spans.begin_us[i]));
      if (ends->second[i] < trace.faults.size() && has_room && x <= frame.layout.width + 1.0) {
        draw_end(painter, frame, row, x, trace.faults[ends->second[i]]);
      }
    }
  }
  painter.setClipRect(QRect(0, 0, frame.layout.width, frame.layout.height));
}

}  // namespace aftershock::gui
