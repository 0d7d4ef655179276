#pragma once

#include <QIcon>

#include "gui/actions/action_set.h"
#include "gui/theme/theme.h"

namespace aftershock::gui {

/// The icon of an action of the toolbar in the colours of a theme, drawn at the sizes that toolbars
/// have; null for an action without one.
QIcon tool_icon(ActionId id, Theme theme);
/// The icon of kPlay while something plays.
QIcon pause_icon(Theme theme);

/// Gives all actions that have one their icon; menus stay without.
void set_tool_icons(const ActionSet& actions, Theme theme);

}  // namespace aftershock::gui
