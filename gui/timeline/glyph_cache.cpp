#include "gui/timeline/glyph_cache.h"

#include <QFontMetrics>
#include <QPaintEngine>
#include <QTransform>
#include <cmath>

namespace aftershock::gui {

namespace {

/// Numbers change with the view: what has not come again for so many is forgotten.
constexpr qsizetype kMostTexts = 4096;

bool has_pixels(const QPainter& painter) {
  return painter.paintEngine()->type() == QPaintEngine::Raster;
}

}  // namespace

GlyphCache::OfFont& GlyphCache::of(const QFont& font) {
  for (OfFont& known : fonts_) {
    if (known.font == font) {
      return known;
    }
  }
  fonts_.push_back({font, QFontMetricsF(font).ascent(), {}});
  return fonts_.back();
}

GlyphCache::Text& GlyphCache::text_of(OfFont& known, const QString& text) {
  if (known.texts.size() > kMostTexts) {
    known.texts.clear();
  }
  return known.texts[text];
}

const QStaticText& GlyphCache::shaped(OfFont& known, const QString& text) {
  Text& stamp = text_of(known, text);
  if (!stamp.is_shaped) {
    stamp.shaped = QStaticText(text);
    stamp.shaped.setTextFormat(Qt::PlainText);
    stamp.shaped.setPerformanceHint(QStaticText::AggressiveCaching);
    stamp.shaped.prepare(QTransform(), known.font);
    stamp.is_shaped = true;
  }
  return stamp.shaped;
}

int GlyphCache::width_of(const QFont& font, const QString& text) {
  OfFont& known = of(font);
  Text& stamp = text_of(known, text);
  if (stamp.width < 0) {
    stamp.width = QFontMetrics(font).horizontalAdvance(text);
  }
  return stamp.width;
}

void GlyphCache::draw_between(QPainter& painter, const QFont& font, double left, double top,
                              double bottom, const QString& text) {
  painter.setFont(font);
  if (!has_pixels(painter)) {
    painter.drawText(QRectF(left, top, width_of(font, text) + 1, bottom - top),
                     Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextDontClip,
                     text);
    return;
  }
  const QStaticText& stamp = shaped(of(font), text);
  painter.drawStaticText(QPointF(left, top + (bottom - top - stamp.size().height()) / 2), stamp);
}

void GlyphCache::draw_on(QPainter& painter, const QFont& font, const QPointF& left_of_line,
                         const QString& text) {
  painter.setFont(font);
  if (!has_pixels(painter)) {
    painter.drawText(left_of_line, text);
    return;
  }
  OfFont& known = of(font);
  painter.drawStaticText(left_of_line - QPointF(0, known.ascent), shaped(known, text));
}

void GlyphCache::draw_mark(QPainter& painter, quint64 name, const QSize& size, const QPointF& at,
                           const std::function<void(QPainter&)>& paint) {
  if (!has_pixels(painter)) {
    painter.save();
    painter.translate(at);
    paint(painter);
    painter.restore();
    return;
  }
  QImage& mark = marks_[name];
  if (mark.isNull()) {
    const double scale = painter.device()->devicePixelRatioF();
    mark = QImage((QSizeF(size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
    mark.setDevicePixelRatio(scale);
    mark.fill(Qt::transparent);
    QPainter own(&mark);
    paint(own);
  }
  // Between pixels it would be blurred.
  const double scale = mark.devicePixelRatio();
  painter.drawImage(QPointF(std::round(at.x() * scale), std::round(at.y() * scale)) / scale, mark);
}

}  // namespace aftershock::gui
