#pragma once

#include <QMainWindow>
#include <QPointer>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "gui/actions/action_set.h"
#include "gui/app/open_run.h"
#include "gui/theme/theme.h"

class QDockWidget;
class QLabel;
class QStackedWidget;
class QToolBar;

namespace aftershock::gui {

class CommandPalette;
class KeySheet;
class MessageBar;
class Settings;
class WelcomePage;

/// The window: menus, status bar, messages, panels around a document, and the files that are open
/// in it. The document shows the content of a recording: it listens to the signals.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `settings` must outlive it; `simulator` is as find_simulator gives it.
  MainWindow(Settings& settings, QString simulator);
  ~MainWindow() override;

  /// All actions; whoever can do one calls its `handle`.
  [[nodiscard]] ActionSet& actions() { return *actions_; }
  /// The widget that is shown while a run is open; it becomes the window's.
  void set_document(QWidget* document);
  /// The buttons below the menus; others may be added behind them.
  [[nodiscard]] QToolBar& tools() { return *tools_; }
  /// Adds a panel, shown and hidden by the action `toggle`. `name` is stable, for the settings.
  QDockWidget* add_panel(ActionId toggle, const QString& name, QWidget* panel,
                         Qt::DockWidgetArea area);
  /// Adds a bar above the document, which shows and hides itself; it becomes the window's.
  void add_bar(QWidget* bar);
  /// Says in the titles of panels that are about one run which of two that is; an empty letter
  /// where there is only one.
  void show_run_in_panels(const QString& letter);
  /// Places panels and window as they were left. To be called once all panels are there.
  void restore_window();

  /// Opens a file as run 0 or 1: a recording at once, a scenario by running it. Errors are shown as
  /// messages.
  void open_file(const QString& path, int run, const QStringList& run_options = {},
                 const QString& record = {});
  /// Runs the scenario of run 0 once more and opens it as run 1.
  void run_again(const RunAgain& wish);
  /// Closes run 0 or 1; of two, the second goes first and the first takes its place.
  void close_run(int run);
  /// Makes the second run the first; only the bookkeeping of files, without signals.
  void swap_runs();
  /// Run 0 or 1; its path is empty where there is none.
  [[nodiscard]] const OpenRun& run(int run) const {
    return runs_.at(static_cast<std::size_t>(run));
  }

  /// The words that a copied command adds to go to this place: options of aftershock-viewer.
  void set_view_words(std::function<QStringList()> words) { view_words_ = std::move(words); }
  /// A word that something is wrong, above the document.
  void say(const QString& message);
  /// The text of one part of the status bar, such as "cursor"; parts stand in the order in which
  /// they were first set. Empty takes it away.
  void set_status(const QString& part, const QString& text);
  [[nodiscard]] Theme theme() const;
  /// The width of so many letters at the size of text that was chosen.
  [[nodiscard]] int letters_px(int letters) const;

 Q_SIGNALS:
  /// A recording is there to be read. `growing`: it is being written, until run_finished.
  void run_opened(int run, const QString& path, bool growing, bool temporary);
  /// A growing recording will not grow any more.
  void run_finished(int run);
  void run_closed(int run);
  /// The palette has changed, for what paints by hand.
  void theme_changed(aftershock::gui::Theme theme);
  /// The window is about to go: what is to be kept must be saved now.
  void closing();

 protected:
  void showEvent(QShowEvent* event) override;
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void tell_of_panels();
  void handle_file_actions();
  void handle_window_actions();
  void fill_tools();
  void ask_and_open(int run);
  void reload(int run);
  void ask_and_run_again();
  void start_run(int run, const RunRequest& request, const QString& name);
  void copy_command();
  void adopt(OpenRun& run, const QString& path);
  void end_run(OpenRun& run, const RunEnd& end);
  [[nodiscard]] int number_of(const OpenRun& run) const;
  void update_shown();
  void set_theme(Theme theme);
  void set_scale(int percent);
  void move_focus(int by);
  void show_about();

  Settings& settings_;
  QString simulator_;
  ActionSet* actions_ = nullptr;
  QToolBar* tools_;
  QStackedWidget* pages_;
  WelcomePage* welcome_;
  MessageBar* message_;
  CommandPalette* palette_;
  KeySheet* keys_;
  QPointer<QWidget> document_;
  std::vector<QDockWidget*> panels_;
  QMap<QString, QLabel*> status_;
  std::array<OpenRun, 2> runs_;
  std::function<QStringList()> view_words_;
  qreal font_points_;
};

}  // namespace aftershock::gui
