#pragma once

#include <QIcon>

namespace aftershock::gui {

/// The program's icon, drawn at the usual sizes from the same file that is installed.
QIcon application_icon();

}  // namespace aftershock::gui
