#pragma once

#include <QObject>
#include <array>

#include "gui/app/pane.h"
#include "gui/panels/place.h"
#include "gui/timeline/player.h"

class QSplitter;

namespace aftershock::gui {

class MainWindow;

/// The workspace of a window, its document: one run, or two, one above the other. One of them is at
/// hand: keys, menus and panels are about it. Panels connect to the signals, which are about that
/// run.
class Workspace : public QObject {
  Q_OBJECT

 public:
  /// `window` outlives it.
  explicit Workspace(MainWindow& window);
  ~Workspace() override;

  /// The place of run 0 or 1, whether something is open in it or not.
  [[nodiscard]] Pane& pane(int run) { return *panes_.at(static_cast<std::size_t>(run)); }
  [[nodiscard]] bool has_two() {
    return pane(0).session() != nullptr && pane(1).session() != nullptr;
  }
  /// Whether something that is open is still being read.
  [[nodiscard]] bool is_reading();
  /// Whether something more will be seen of it without anybody's doing.
  [[nodiscard]] bool is_busy();
  /// The name of the run, and its difference from the other one.
  [[nodiscard]] QString name_of_run(int run) const;
  /// Whether both are shown.
  [[nodiscard]] bool shows_two() const { return shows_two_; }
  void show_two(bool on);
  /// The second run becomes the first.
  void swap();

  /// The run at hand: 0 or 1.
  [[nodiscard]] int run_at_hand() const { return at_hand_; }
  /// Takes a run that is shown to hand and gives it the keyboard.
  void take_to_hand(int run);
  /// Reads the run at hand once more, and what is added to it from now on.
  void read_as_it_grows();
  /// Shows a place of the run at hand: its time, and the lane and span where it has one.
  void go_to(const Place& place);
  /// The selection in the run at hand; Place() for nothing.
  [[nodiscard]] Place selected();
  [[nodiscard]] Timeline& timeline() { return pane(at_hand_).timeline(); }
  [[nodiscard]] Player& player() { return *player_; }
  /// Null where none is open.
  [[nodiscard]] RunSession* session() { return pane(at_hand_).session(); }

 Q_SIGNALS:
  /// Another recording is at hand, which may still be read; null: none.
  void session_opened(aftershock::gui::RunSession* session);
  /// All of the run at hand has been read, and the view is where it should be.
  void session_finished();
  /// The same signals of the timeline at hand.
  void cursor_moved(qint64 t_us);
  void state_changed();
  void selection_changed();
  /// A run was opened, read or closed, or the two were swapped or taken apart.
  void runs_changed();

 private:
  void connect_pane(Pane& pane);
  void open(int run, const QString& path, bool growing);
  void close(int run);
  void choose(int run);
  void copy_time();
  void tell_of_session();
  void show_titles();
  void show_status();

  MainWindow& window_;
  QSplitter* splitter_;
  std::array<Pane*, 2> panes_;
  std::array<ActionHandlers, 2> handlers_;
  Player* player_;
  int at_hand_ = 0;
  bool shows_two_ = true;
};

}  // namespace aftershock::gui
