#pragma once

#include <QImage>
#include <QSize>
#include <QString>

#include "gui/theme/theme.h"

class QIODevice;
class QPainter;

namespace aftershock::gui {

class Timeline;

/// A timeline as it is seen, at the scale of its screen, below a line with this title.
QImage picture_of(Timeline& timeline, const QString& title);

/// The same as an SVG of what is seen, not of what was recorded: runs of one colour as rectangles,
/// hatches as patterns, marks and text as such.
void draw_svg(Timeline& timeline, const QString& title, QIODevice& to);

/// A picture that is made for others to look at, whatever the window is like.
struct Slide {
  QSize size{1600, 900};  ///< in logical pixels
  int scale = 2;          ///< device pixels a logical one, of a picture
  Theme theme = Theme::kLight;
  bool has_legend = true;
  QString card = {};  ///< HTML to stand on the right; empty: none
};

/// The view of a timeline as a slide, below a line with this title.
QImage slide_of(Timeline& timeline, const QString& title, const Slide& slide);
/// The same as an SVG.
void draw_slide_svg(Timeline& timeline, const QString& title, const Slide& slide, QIODevice& to);

}  // namespace aftershock::gui
