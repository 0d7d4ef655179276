#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gui/actions/action.h"
#include "gui/actions/action_handlers.h"

class QAction;
class QMenuBar;
class QWidget;

namespace aftershock::gui {

/// Keys that a user wants in place of the table's, by the action's name; "" takes all away.
using KeyOverrides = std::map<std::string, std::string>;

/// Puts them into `table` (names of actions, keys as in ActionSpec::keys). Returns a line about
/// each that cannot be used, because there is no such action or key, or another action has it; the
/// table's stay in force then.
QStringList apply_key_overrides(std::vector<ActionSpec>& table, const KeyOverrides& overrides);

/// The actions of one window, made from the table. An action without a handler is not shown
/// anywhere, and its keys do nothing.
class ActionSet : public QObject {
  Q_OBJECT

 public:
  /// Actions of Scope::kWindow act in `window`, whose child this becomes.
  explicit ActionSet(QWidget* window, std::vector<ActionSpec> table = action_table());

  /// Those of Scope::kTimeline act while the focus is in `timeline`; it may be called for several.
  void add_timeline(QWidget* timeline);
  /// Enter, Shift+Enter and Esc in the search field.
  void set_search_field(QWidget* field);

  /// `run` is what the action does from now on. A choice or toggle is told only by handle_check.
  void handle(ActionId id, std::function<void()> run);
  /// The same for toggles and choices: called with the new state when a user, or trigger(),
  /// changes it; of a choice only for what is chosen.
  void handle_check(ActionId id, std::function<void(bool)> run);
  /// All of them at once.
  void handle_all(const ActionHandlers& handlers);
  /// The same, by whom `who` gives when an action is asked for; all do what `kind` can do.
  void handle_all(const ActionHandlers& kind, std::function<const ActionHandlers&()> who);
  /// Sets a toggle or choice without calling its handler.
  void show_checked(ActionId id, bool on);

  /// The action; its text, keys and help are the table's.
  [[nodiscard]] QAction* action(ActionId id) const;
  /// Whether somebody handles it.
  [[nodiscard]] bool is_handled(ActionId id) const;
  /// The table that the actions are made from, with the user's keys.
  [[nodiscard]] const std::vector<ActionSpec>& table() const { return table_; }

  /// Fills `bar` with all menus. A menu shows only where something in it is handled, then or later.
  void fill_menus(QMenuBar& bar);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void make(const ActionSpec& spec, QWidget* window);
  void mark_handled(ActionId id);

  std::vector<ActionSpec> table_;
  std::vector<QAction*> actions_;  ///< by ActionId
  std::vector<bool> handled_;      ///< by ActionId
};

/// "W, Up": the keys as they are called on this machine; empty where there are none.
QString shown_keys(const ActionSpec& spec);

}  // namespace aftershock::gui
