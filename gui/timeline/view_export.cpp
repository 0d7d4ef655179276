#include "gui/timeline/view_export.h"

#include <QAbstractTextDocumentLayout>
#include <QFontMetrics>
#include <QPainter>
#include <QSvgGenerator>
#include <QTextDocument>
#include <algorithm>
#include <cmath>

#include "gui/timeline/timeline.h"

namespace aftershock::gui {

namespace {

int title_px(const Timeline& timeline) { return timeline.fontMetrics().height() + 10; }

void draw_title(QPainter& painter, const Timeline& timeline, const QString& title, int width,
                Theme theme) {
  const Inks& ink = inks(theme);
  const QRect box(0, 0, width, title_px(timeline));
  painter.fillRect(box, QColor(ink.window));
  painter.setFont(timeline.font());
  painter.setPen(QColor(ink.text));
  painter.drawText(
      box.adjusted(6, 0, -6, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
      QFontMetrics(timeline.font()).elidedText(title, Qt::ElideRight, box.width() - 12));
}

/// Where the parts of a slide are.
struct Parts {
  QSize timeline;
  QRect card;  ///< empty without one
};

Parts parts_of(const Timeline& timeline, const Slide& slide) {
  constexpr int kCard_px = 420;
  const int top = title_px(timeline);
  const int card = slide.card.isEmpty() ? 0 : std::min(kCard_px, slide.size.width() / 3);
  return {{slide.size.width() - card, std::max(1, slide.size.height() - top)},
          {slide.size.width() - card, top, card, slide.size.height() - top}};
}

/// The card as the inspector has it, in the colours of the slide.
void draw_card(QPainter& painter, const Timeline& timeline, const Slide& slide, const QRect& box) {
  if (box.isEmpty()) {
    return;
  }
  constexpr int kMargin_px = 10;
  painter.fillRect(box, QColor(inks(slide.theme).window));
  QTextDocument text;
  text.setDefaultFont(timeline.font());
  text.setTextWidth(box.width() - 2 * kMargin_px);
  text.setHtml(slide.card);
  QAbstractTextDocumentLayout::PaintContext context;
  context.palette = palette(slide.theme);
  context.palette.setColor(QPalette::Text, QColor(inks(slide.theme).text));
  painter.save();
  painter.setClipRect(box);
  painter.translate(box.topLeft() + QPoint(kMargin_px, kMargin_px));
  text.documentLayout()->draw(&painter, context);
  painter.restore();
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

void Timeline::draw_at(Canvas& canvas, const QSize& size, double scale, Theme theme,
                       bool has_legend) {
  if (scene() == nullptr) {
    return;
  }
  Frame frame = frame_now();
  frame.layout =
      make_layout(size.width(), size.height(), fontMetrics().height(), frame.layout.row_px,
                  static_cast<int>(rows_.pinned.size()), !notes_.empty());
  if (!has_legend) {
    frame.layout.legend_px = 0;
  }
  frame.scale = scale;
  frame.theme = theme;
  frame.lit = Kind::kCount;
  const auto width = static_cast<int>(std::lround(frame.layout.time_width() * scale));
  frame.axis = axis_of(state_.shown, std::max(1, width),
                       state_.shown.begin_us / 2 + state_.shown.end_us / 2);
  draw_frame(frame, canvas);
}

QImage picture_of(Timeline& timeline, const QString& title) {
  const QPixmap seen = timeline.viewport()->grab();
  const double scale = seen.devicePixelRatio();
  const int top = static_cast<int>(std::lround(title_px(timeline) * scale));
  QImage picture(seen.width(), seen.height() + top, QImage::Format_RGB32);
  picture.setDevicePixelRatio(scale);
  picture.fill(inks(timeline.theme()).window);
  QPainter painter(&picture);
  draw_title(painter, timeline, title, timeline.viewport()->width(), timeline.theme());
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
  draw_title(painter, timeline, title, timeline.viewport()->width(), timeline.theme());
}

QImage slide_of(Timeline& timeline, const QString& title, const Slide& slide) {
  const Parts parts = parts_of(timeline, slide);
  QImage view(parts.timeline * slide.scale, QImage::Format_RGB32);
  view.setDevicePixelRatio(slide.scale);
  view.fill(inks(slide.theme).lane);
  {
    Canvas canvas(view);
    timeline.draw_at(canvas, parts.timeline, slide.scale, slide.theme, slide.has_legend);
  }
  QImage picture(slide.size * slide.scale, QImage::Format_RGB32);
  picture.setDevicePixelRatio(slide.scale);
  picture.fill(inks(slide.theme).window);
  QPainter painter(&picture);
  painter.drawImage(QPointF(0, title_px(timeline)), view);
  draw_card(painter, timeline, slide, parts.card);
  draw_title(painter, timeline, title, slide.size.width(), slide.theme);
  return picture;
}

void draw_slide_svg(Timeline& timeline, const QString& title, const Slide& slide, QIODevice& to) {
  const Parts parts = parts_of(timeline, slide);
  QSvgGenerator drawing;
  drawing.setOutputDevice(&to);
  drawing.setSize(slide.size);
  drawing.setResolution(timeline.logicalDpiX());
  drawing.setViewBox(QRect(QPoint(), slide.size));
  drawing.setTitle(title.toHtmlEscaped());
  QPainter painter(&drawing);
  painter.translate(0, title_px(timeline));
  {
    Layout layout;
    layout.width = parts.timeline.width();
    layout.height = parts.timeline.height();
    Canvas canvas(painter, layout);
    timeline.draw_at(canvas, parts.timeline, 1, slide.theme, slide.has_legend);
  }
  painter.resetTransform();
  draw_card(painter, timeline, slide, parts.card);
  draw_title(painter, timeline, title, slide.size.width(), slide.theme);
}

}  // namespace aftershock::gui
