#pragma once

#include <QImage>
#include <QString>

class QIODevice;

namespace aftershock::gui {

class Timeline;

/// A timeline as it is seen, at the scale of its screen, below a line with this title.
QImage picture_of(Timeline& timeline, const QString& title);

/// The same as an SVG of what is seen, not of what was recorded: runs of one colour as rectangles,
/// hatches as patterns, marks and text as such.
void draw_svg(Timeline& timeline, const QString& title, QIODevice& to);

}  // namespace aftershock::gui
