#include "gui/timeline/draw_legend.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "gui/theme/look.h"
#include "gui/timeline/describe.h"

namespace aftershock::gui {

namespace {

constexpr int kMargin_px = 12;
constexpr int kGap_px = 18;
constexpr int kBesideSwatch_px = 6;
constexpr int kBetweenLines_px = 4;

QBrush hatch_for(const Frame& frame, const Canvas& canvas, const Look& look) {
  return canvas.is_drawing() ? vector_hatch_brush(look.hatch, look.fill)
                             : hatch_brush(look.hatch, look.fill, frame.scale);
}

}  // namespace

LegendLines legend_lines(std::span<const int> widths, int gap_px, int room_px, std::size_t lines,
                         int more_px) {
  LegendLines out;
  const auto fill = [&](int last_room_px) {
    out = {};
    std::size_t next = 0;
    while (next < widths.size() && out.ends.size() < lines) {
      const bool is_last = out.ends.size() + 1 == lines;
      const int room = is_last ? last_room_px : room_px;
      int x = widths[next];
      const std::size_t first = next;
      while (next < widths.size() && x <= room) {
        ++next;
        x += next < widths.size() ? gap_px + widths[next] : 0;
      }
      if (next == first) {
        break;
      }
      out.ends.push_back(next);
    }
    out.left_out = widths.size() - next;
  };
  fill(room_px);
  if (out.left_out > 0) {
    fill(room_px - gap_px - more_px);
  }
  return out;
}

void draw_legend(const Frame& frame, std::span<const ShownRow> rows, KindMask kinds,
                 Canvas& canvas) {
  const Layout& layout = frame.layout;
  const int line_px = layout.text_px + kBetweenLines_px;
  const int bottom = rows.empty() ? layout.rows_top() : rows.back().top + layout.row_px;
  const int free_px = layout.height - bottom - 2 * layout.text_px;
  if (free_px < line_px) {
    return;
  }
  const QFontMetrics metrics(frame.font);
  const int side = layout.text_px - 4;
  std::vector<Kind> shown;
  std::vector<int> widths;
  for_each_kind(kinds, [&](Kind kind) {
    shown.push_back(kind);
    widths.push_back(side + kBesideSwatch_px + frame.stamps->width_of(frame.font, kind_text(kind)));
  });
  const int left = layout.label_px + kMargin_px;
  const LegendLines lines = legend_lines(widths, kGap_px, layout.width - kMargin_px - left,
                                         static_cast<std::size_t>(free_px / line_px),
                                         frame.stamps->width_of(frame.font, QStringLiteral("+00")));
  QPainter& painter = canvas.painter();
  painter.setPen(QColor(inks(frame.theme).text_dim));
  int top = layout.height - layout.text_px - static_cast<int>(lines.ends.size()) * line_px;
  int x = left;
  std::size_t i = 0;
  for (const std::size_t end : lines.ends) {
    for (x = left; i < end; ++i) {
      const Look look = look_of(shown[i], frame.theme);
      const QRect box(x, top + 2, side, side);
      painter.fillRect(box, QColor(look.fill));
      painter.fillRect(box, hatch_for(frame, canvas, look));
      frame.stamps->draw_on(painter, frame.font,
                            QPointF(x + side + kBesideSwatch_px, top + metrics.ascent()),
                            kind_text(shown[i]));
      x += widths[i] + kGap_px;
    }
    top += line_px;
  }
  if (lines.left_out > 0 && !lines.ends.empty()) {
    frame.stamps->draw_on(painter, frame.font, QPointF(x, top - line_px + metrics.ascent()),
                          QStringLiteral("+%1").arg(lines.left_out));
  }
}

}  // namespace aftershock::gui
