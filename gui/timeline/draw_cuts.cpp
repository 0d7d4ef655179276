#include <QPainter>
#include <algorithm>
#include <cmath>

#include "gui/theme/look.h"
#include "gui/timeline/cut_bands.h"

namespace aftershock::gui {

namespace {

/// A partition is at least so wide, in logical pixels: one line.
constexpr double kNarrowest = 2;
/// From here on there is room for hatches between the lines of its beginning and end.
constexpr double kWide = 7;
/// The line between lanes goes so far beyond a partition that is but a line: it is seen where the
/// cut begins and ends.
constexpr double kFoot = 4;
/// More than so many on a lane are told apart by nobody, and get no lines.
constexpr std::size_t kLined = 100;

struct Pens {
  QColor line;
  QColor tint;
  QBrush hatch;
};

Pens pens_of(const Frame& frame) {
  const Look look = look_of(Kind::kCut, frame.theme);
  Pens pens{QColor(look.fill), QColor(look.fill), {}};
  pens.tint.setAlpha(frame.theme == Theme::kDark ? 46 : 38);
  // Lines of the cut's own colour over lanes: what lies below is still seen between them.
  QColor line(look.fill);
  line.setAlpha(120);
  pens.hatch = QBrush(line, Qt::DiagCrossPattern);
  return pens;
}

/// A bold dashed line between two lanes: here the network is cut.
void draw_border(QPainter& painter, const QColor& colour, double from, double to, double y) {
  constexpr double kThick = 3;
  constexpr double kDash = 8;
  constexpr double kGap = 4;
  for (double x = from; x < to; x += kDash + kGap) {
    painter.fillRect(QRectF(x, y - kThick / 2, std::min(kDash, to - x), kThick), colour);
  }
}

}  // namespace

void draw_cuts(const Frame& frame, std::span<const ShownRow> rows, Canvas& canvas) {
  const std::vector<CutBand> bands = cut_bands(frame, rows);
  if (bands.empty()) {
    return;
  }
  const Layout& layout = frame.layout;
  QPainter& painter = canvas.painter();
  const Pens pens = pens_of(frame);
  for (const CutBand& band : bands) {
    const bool is_pinned = band.first < static_cast<std::size_t>(layout.pinned);
    QRect clip = layout.lanes();
    clip.setTop(is_pinned ? layout.rows_top() : layout.scrolled_top());
    painter.setClipRect(clip);
    const double top = rows[band.first].top;
    const double bottom = rows[band.last].top + layout.row_px;
    const bool lined = band.pixels.size() <= kLined;
    for (const PixelRun& run : band.pixels) {
      double from = layout.label_px + run.begin_px / frame.scale;
      double to = std::max(from + kNarrowest, layout.label_px + run.end_px / frame.scale);
      const QRectF box(from, top, to - from, bottom - top);
      if (to - from < kWide || !lined) {
        painter.fillRect(box, lined ? pens.line : pens.tint);
        from -= kFoot;
        to += kFoot;
      } else {
        painter.fillRect(box, pens.tint);
        painter.fillRect(box, pens.hatch);
        painter.fillRect(QRectF(from, top, 1, box.height()), pens.line);
        painter.fillRect(QRectF(to - 1, top, 1, box.height()), pens.line);
      }
      if (lined && !band.more_above) {
        draw_border(painter, pens.line, from, to, std::max(top + 1, clip.top() + 1.5));
      }
      if (lined && !band.more_below) {
        draw_border(painter, pens.line, from, to, bottom - 1);
      }
    }
  }
}

void draw_cuts_in_minimap(const Frame& frame, const TimeAxis& axis, QPainter& painter) {
  const Layout& layout = frame.layout;
  const QColor colour(look_of(Kind::kCut, frame.theme).fill);
  for (const PixelRun& run : cut_pixels(frame.scene.cuts().any(), axis)) {
    const double from = layout.label_px + run.begin_px / frame.scale;
    const double width = std::max(kNarrowest, (run.end_px - run.begin_px) / frame.scale);
    painter.fillRect(QRectF(from, layout.minimap_px - 4, width, 3), colour);
  }
}

}  // namespace aftershock::gui
