#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "gui/actions/action_set.h"
#include "gui/app/run_keep.h"

namespace aftershock::gui {

class MainWindow;
class NoteEditor;
class NotesList;
class Pane;
class Workspace;

/// Notes, bookmarks and places of the run at hand, with their actions, their panel and their flags
/// in the timeline; and how a run was left, put back when it is opened again. RunKeep decides on
/// the places of files. Also the words of the view in a copied command, and what the status bar
/// says of the selected range of time.
class Keeper : public QObject {
  Q_OBJECT

 public:
  /// `window` and `workspace` outlive it. It is made behind the other panels, and
  /// before they are restored.
  Keeper(MainWindow& window, Workspace& workspace, Keeping keeping = Keeping::kAll);

  /// The next run that is opened shows a place from elsewhere: the one that was kept of it is
  /// passed over.
  void leave_next_view() { with_place_ = false; }
  /// The state that is kept of the run at hand.
  [[nodiscard]] RunKeep& run();
  [[nodiscard]] NotesList& list() { return *list_; }
  [[nodiscard]] NoteEditor& editor() { return *editor_; }

 private:
  void add_list();
  void follow(RunKeep& keep, Pane& pane);
  void take_to_hand();
  void handle_note_actions(ActionSet& actions);
  void handle_place_actions(ActionSet& actions);
  void write_note(std::int64_t begin_us, std::int64_t end_us);
  void bookmark();
  void go_to_row(int row);
  void delete_row(int row);
  void put_back();
  void show_notes();
  void tell(const QString& text);

  MainWindow& window_;
  Workspace& workspace_;
  std::vector<std::unique_ptr<RunKeep>> runs_;  ///< one for each pane, wherever that is
  NotesList* list_;
  NoteEditor* editor_;
  std::vector<std::variant<Note, Bookmark>> deleted_;
  bool with_place_ = true;
  bool going_ = false;
};

}  // namespace aftershock::gui
