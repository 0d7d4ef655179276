#pragma once

#include <QFont>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QStaticText>
#include <QString>
#include <functional>

namespace aftershock::gui {

/// The beginning of a mark's name.
enum class Mark : quint64 {
  kFault = 0,   ///< and its Glyph
  kEnd = 0x80,  ///< of an attempt or a phase, and its Glyph
  kFlag = 0x100,
  kSelectedFlag = 0x101,
  kCorner = 0x200,  ///< and its size
};

/// Texts and marks that come again in frame after frame: a text is measured and shaped once, a mark
/// is painted once. The drawing is the one that Qt makes without it, to the pixel, where a logical
/// one is a whole number of them.
class GlyphCache {
 public:
  /// How wide a text is, as QFontMetrics::horizontalAdvance says.
  int width_of(const QFont& font, const QString& text);
  /// A text in the painter's pen, from `left` on, in the middle between `top` and `bottom`.
  void draw_between(QPainter& painter, const QFont& font, double left, double top, double bottom,
                    const QString& text);
  /// A text in the painter's pen that stands on a line.
  void draw_on(QPainter& painter, const QFont& font, const QPointF& left_of_line,
               const QString& text);
  /// A mark of a size, with its top left corner there; `paint` paints it at (0, 0). `name` is what
  /// it depends on. One of a painter of vectors is painted each time.
  void draw_mark(QPainter& painter, quint64 name, const QSize& size, const QPointF& at,
                 const std::function<void(QPainter&)>& paint);

 private:
  struct Text {
    QStaticText shaped;
    int width = -1;
    bool is_shaped = false;
  };
  struct OfFont {
    QFont font;
    double ascent = 0;
    QHash<QString, Text> texts;
  };

  OfFont& of(const QFont& font);
  static Text& text_of(OfFont& known, const QString& text);
  static const QStaticText& shaped(OfFont& known, const QString& text);

  QList<OfFont> fonts_;
  QHash<quint64, QImage> marks_;
};

}  // namespace aftershock::gui
