#include "gui/timeline/view_export.h"

#include <QFontMetrics>
#include <QPainter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

int title_px(const Timeline& timeline) { return timeline.fontMetrics().height() + 10; }

void draw_title(QPainter& painter, const Timeline& timeline, const QString& title) {
  const Inks& ink = inks(timeline.theme());
  const QRect box(0, 0, timeline.viewport()->width(), title_px(timeline));
  painter.fillRect(box, QColor(ink.window));
  painter.setFont(timeline.font());
  painter.setPen(QColor(ink.text));
  painter.drawText(
      box.adjusted(6, 0, -6, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
      QFontMetrics(timeline.font()).elidedText(title, Qt::ElideRight, box.width() - 12));
}

}  // namespace

void Timeline::draw_vectors(QPainter& painter) {
  if (scene() == nullptr) {
    return;
  }
  Frame frame = frame_now();
  frame.scale = 1;
  frame.axis = axis_of(state_.shown, std::max(1, frame.layout.time_width()),
                       state_.shown.begin_us / 2 + state_.shown.end_us / 2);
  Canvas canvas(painter, frame.layout);
  draw_frame(frame, canvas);
  draw_overlay(canvas.painter());
}

QImage picture_of(Timeline& timeline, const QString& title) {
  const QPixmap seen = timeline.viewport()->grab();
  const double scale = seen.devicePixelRatio();
  const int top = static_cast<int>(std::lround(title_px(timeline) * scale));
  QImage picture(seen.width(), seen.height() + top, QImage::Format_RGB32);
  picture.setDevicePixelRatio(scale);
  picture.fill(inks(timeline.theme()).window);
  QPainter painter(&picture);
  draw_title(painter, timeline, title);
  painter.drawPixmap(QPointF(0, top / scale), seen);
  return picture;
}

void draw_svg(Timeline& timeline, const QString& title, QIODevice& to) {
  const QSize size = timeline.viewport()->size().grownBy(QMargins(0, 0, 0, title_px(timeline)));
  QSvgGenerator drawing;
  drawing.setOutputDevice(&to);
  drawing.setSize(size);
  // So large that its text is what it is on the screen.
  drawing.setResolution(timeline.logicalDpiX());
  drawing.setViewBox(QRect(QPoint(), size));
  // Qt writes a title as it is.
  drawing.setTitle(title.toHtmlEscaped());
  QPainter painter(&drawing);
  painter.translate(0, title_px(timeline));
  timeline.draw_vectors(painter);
  painter.resetTransform();
  // Last, over what was not clipped.
  draw_title(painter, timeline, title);
}

}  // namespace aftershock::gui
