#include "gui/timeline/draw_legend.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "gui/theme/look.h"
#include "gui/timeline/describe.h"

namespace aftershock::gui {

namespace {

constexpr int kMargin_px = 12;
constexpr int kGap_px = 18;
constexpr int kBesideSwatch_px = 6;

QBrush hatch_for(const Frame& frame, const Canvas& canvas, const Look& look) {
  return canvas.is_drawing() ? vector_hatch_brush(look.hatch, look.fill)
                             : hatch_brush(look.hatch, look.fill, frame.scale);
}

/// One that is hidden has its place, but no colour, and its name is struck out.
void draw_entry(const Frame& frame, Canvas& canvas, Kind kind, const QRect& box, int baseline) {
  const Inks& ink = inks(frame.theme);
  const bool is_hidden = has(frame.hidden_kinds, kind);
  const Look look = look_of(kind, frame.theme);
  QPainter& painter = canvas.painter();
  if (!is_hidden) {
    painter.fillRect(box, QColor(look.fill));
    painter.fillRect(box, hatch_for(frame, canvas, look));
  } else {
    painter.fillRect(box, QColor(ink.grid));
  }
  painter.setPen(QColor(frame.lit == kind ? ink.text : ink.text_dim));
  const QString text = kind_text(kind);
  const int x = box.right() + 1 + kBesideSwatch_px;
  frame.stamps->draw_on(painter, frame.font, QPointF(x, baseline), text);
  if (is_hidden) {
    painter.fillRect(x, box.center().y(), frame.stamps->width_of(frame.font, text), 1,
                     QColor(ink.text_dim));
  }
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

void draw_legend(const Frame& frame, Canvas& canvas) {
  const Layout& layout = frame.layout;
  if (layout.legend_px <= 0) {
    return;
  }
  const Inks& ink = inks(frame.theme);
  const QRect strip = layout.legend();
  QPainter& painter = canvas.painter();
  painter.fillRect(strip, QColor(ink.window));
  painter.fillRect(strip.left(), strip.top(), strip.width(), 1, QColor(ink.grid));
  const QFontMetrics metrics(frame.font);
  const int side = layout.text_px - 4;
  std::vector<Kind> shown;
  std::vector<int> widths;
  for_each_kind(frame.scene.kinds(), [&](Kind kind) {
    shown.push_back(kind);
    widths.push_back(side + kBesideSwatch_px + frame.stamps->width_of(frame.font, kind_text(kind)));
  });
  const int line_px = layout.text_px + 4;
  const auto room = static_cast<std::size_t>(strip.height() / line_px);
  const LegendLines lines = legend_lines(widths, kGap_px, layout.width - 2 * kMargin_px, room,
                                         frame.stamps->width_of(frame.font, QStringLiteral("+00")));
  std::vector<LegendEntry> entries;
  const auto height = static_cast<int>(lines.ends.size()) * line_px;
  int top = strip.top() + (strip.height() - height) / 2 + 2;
  int x = kMargin_px;
  std::size_t i = 0;
  for (const std::size_t end : lines.ends) {
    if (i > 0) {
      top += line_px;
    }
    for (x = kMargin_px; i < end; ++i) {
      entries.push_back({shown[i], QRect(x, top, widths[i], line_px)});
      draw_entry(frame, canvas, shown[i], QRect(x, top + 2, side, side), top + metrics.ascent());
      x += widths[i] + kGap_px;
    }
  }
  if (lines.left_out > 0) {
    painter.setPen(QColor(ink.text_dim));
    frame.stamps->draw_on(painter, frame.font, QPointF(x, top + metrics.ascent()),
                          QStringLiteral("+%1").arg(lines.left_out));
  }
  if (frame.cache != nullptr) {
    frame.cache->legend = std::move(entries);
  }
}

}  // namespace aftershock::gui
