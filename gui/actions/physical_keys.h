#pragma once

#include <QObject>
#include <optional>

#include "gui/actions/action.h"

class QKeyEvent;

namespace aftershock::gui {

class ActionSet;

/// The action of W, A, S and D where these stand on an American keyboard, whatever is printed on
/// them, with or without Shift. `event` tells where a key stands only under X11 and Wayland: its
/// scan code is the kernel's code and 8. None where that is not known or it is another key; the
/// letter then acts by its shortcut.
std::optional<ActionId> physical_action(const QKeyEvent& event);

/// Gives the physical keys in a widget to their actions. Where a layout has another letter there
/// (Q for A, Z for W), that letter's own action is left to the menus.
class PhysicalKeys : public QObject {
  Q_OBJECT

 public:
  /// Watches `timeline`, whose child it becomes.
  PhysicalKeys(QWidget* timeline, ActionSet& actions);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  ActionSet& actions_;
};

}  // namespace aftershock::gui
