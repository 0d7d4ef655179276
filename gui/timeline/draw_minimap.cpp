#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "gui/lod/rasterise.h"
#include "gui/lod/scanline.h"
#include "gui/theme/look.h"
#include "gui/timeline/frame.h"

namespace aftershock::gui {

namespace {

TimeAxis axis_of_run(const Frame& frame) { return whole_axis(frame.run, frame.axis.width_px); }

/// The events of the whole run; the same whatever is in view.
void draw_whole_run(const Frame& frame, Canvas& canvas) {
  const Inks& ink = inks(frame.theme);
  const Layout& layout = frame.layout;
  const TimeAxis axis = axis_of_run(frame);
  const Columns columns(axis);
  std::vector<Cell> cells(static_cast<std::size_t>(axis.width_px));
  const auto colours = colour_table(frame.theme);
  const std::span<const Rgb, kKinds> by_kind(colours.data(), kKinds);
  const Shades shades = make_shades(by_kind, ink.lane);
  std::vector<Rgb> row(cells.size());
  const auto device = [&](int y) { return static_cast<int>(std::lround(y * frame.scale)); };
  const std::vector<std::uint32_t> nodes = summary_nodes(frame);
  const int strips = std::max(1, static_cast<int>(nodes.size()));
  const int top = std::min(device(layout.minimap_px / 2), canvas.height());
  const int bottom = std::min(device(layout.minimap_px - 3), canvas.height());
  for (int strip = 0; strip < strips; ++strip) {
    if (nodes.empty()) {
      frame.scene.draw_all(columns, cells);
    } else {
      frame.scene.draw(nodes[static_cast<std::size_t>(strip)], columns, cells);
    }
    paint_scanline(cells, shades, row.data());
    const int end = top + (bottom - top) * (strip + 1) / strips;
    canvas.fill_rows(top + (bottom - top) * strip / strips, end, row);
  }
  QPainter& painter = canvas.painter();
  painter.fillRect(layout.label_px, 0, layout.time_width(), layout.minimap_px / 2,
                   QColor(ink.window));
  // Faults stand on the row, the higher the more there are.
  const auto counts = count_times(frame.fault_times, columns);
  const std::size_t most = counts.empty() ? 0 : *std::ranges::max_element(counts);
  const QColor fault(look_of(Kind::kFault, frame.theme).fill);
  const double room = layout.minimap_px / 2.0 - 3;
  for (std::size_t x = 0; x < counts.size(); ++x) {
    if (counts[x] > 0) {
      const double part = static_cast<double>(counts[x]) / static_cast<double>(most);
      const double height = std::max(3.0, room * part);
      painter.fillRect(
          QRectF(layout.label_px + static_cast<double>(x) / frame.scale,
                 layout.minimap_px / 2.0 - height, std::max(1.0, 1 / frame.scale), height),
          fault);
    }
  }
  draw_cuts_in_minimap(frame, axis, painter);
}

QImage picture_of_run(const Frame& frame, int width) {
  const int height = static_cast<int>(std::lround(frame.layout.minimap_px * frame.scale));
  QImage picture(width, std::max(1, height), QImage::Format_RGB32);
  picture.setDevicePixelRatio(frame.scale);
  Canvas canvas(picture);
  canvas.fill(inks(frame.theme).lane);
  draw_whole_run(frame, canvas);
  return picture;
}

}  // namespace

void draw_minimap(const Frame& frame, Canvas& canvas) {
  const Inks& ink = inks(frame.theme);
  const Layout& layout = frame.layout;
  if (frame.cache == nullptr) {
    draw_whole_run(frame, canvas);
  } else if (frame.cache->minimap.isNull()) {
    frame.cache->minimap = picture_of_run(frame, canvas.width());
  }
  QPainter& painter = canvas.painter();
  painter.setClipRect(layout.minimap());
  if (frame.cache != nullptr) {
    painter.drawImage(0, 0, frame.cache->minimap);
  }
  const TimeAxis axis = axis_of_run(frame);
  const double from = layout.label_px + x_on(axis, frame.axis.begin_us) / frame.scale;
  const double to = layout.label_px + x_on(axis, frame.axis.end_us) / frame.scale;
  QColor outside(ink.window);
  outside.setAlpha(150);
  painter.fillRect(QRectF(layout.label_px, 0, from - layout.label_px, layout.minimap_px - 1),
                   outside);
  painter.fillRect(QRectF(to, 0, layout.width - to, layout.minimap_px - 1), outside);
  painter.setPen(QColor(ink.accent));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(
      QRectF(std::max<double>(from, layout.label_px), 0.5,
             std::min<double>(to, layout.width - 1) - std::max<double>(from, layout.label_px),
             layout.minimap_px - 2));
  // Handles, where it can be taken hold of.
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor(ink.accent));
  for (const double x : {from, to}) {
    painter.drawRoundedRect(QRectF(x - 2, layout.minimap_px / 4.0, 4, layout.minimap_px / 2.0), 2,
                            2);
  }
}

}  // namespace aftershock::gui
