#pragma once

#include <QIcon>
#include <initializer_list>

class QSvgRenderer;

namespace aftershock::gui {

/// A drawing at these sizes.
QIcon icon_of(QSvgRenderer& drawing, std::initializer_list<int> sides);
/// The program's icon, drawn at the usual sizes from the same file that is installed.
QIcon application_icon();

}  // namespace aftershock::gui
