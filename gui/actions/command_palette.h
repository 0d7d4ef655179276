#pragma once

#include <vector>

#include "gui/actions/action.h"
#include "gui/actions/picker.h"

namespace aftershock::gui {

class ActionSet;

/// The actions that can be done now, to be picked by name; what is picked is done.
class CommandPalette : public Picker {
  Q_OBJECT

 public:
  /// For the actions of a window, which becomes its parent.
  CommandPalette(ActionSet& actions, QWidget* window);

  /// Opens it.
  void show_actions();

 private:
  ActionSet& actions_;
  std::vector<ActionId> shown_;
};

}  // namespace aftershock::gui
