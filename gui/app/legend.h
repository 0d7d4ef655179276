#pragma once

#include "gui/theme/theme.h"

class QWidget;

namespace aftershock::gui {

/// Opens a dialog with every colour, hatch and shape of the timeline and what it stands for.
void show_legend(Theme theme, QWidget* parent);

}  // namespace aftershock::gui
