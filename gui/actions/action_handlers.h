#pragma once

#include <functional>
#include <map>

#include "gui/actions/action.h"

namespace aftershock::gui {

/// Handlers of actions: to be given to an ActionSet, or chosen from where several can do the same,
/// as two timelines can.
class ActionHandlers {
 public:
  /// As ActionSet's; the last one for an action counts.
  void handle(ActionId id, std::function<void()> run) {
    all_[id] = [run = std::move(run)](bool /*checked*/) { run(); };
  }
  void handle_check(ActionId id, std::function<void(bool)> run) { all_[id] = std::move(run); }

  [[nodiscard]] const std::map<ActionId, std::function<void(bool)>>& all() const { return all_; }

 private:
  std::map<ActionId, std::function<void(bool)>> all_;
};

}  // namespace aftershock::gui
