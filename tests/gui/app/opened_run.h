#pragma once

#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>
#include <string>

#include <gtest/gtest.h>

#include "gui/app/keeper.h"
#include "gui/app/main_window.h"
#include "gui/app/message_bar.h"
#include "gui/app/settings.h"
#include "gui/app/side_panels.h"
#include "gui/app/workspace.h"
#include "gui/panels/ledger_bars.h"
#include "gui/panels/note_editor.h"
#include "gui/panels/notes_list.h"
#include "gui/sidecar/sidecar_file.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/simulator_path.h"
#include "tests/unit/times.h"

namespace aftershock::gui::testing {

/// A window as the program has it, and a recording open in it.
struct Opened {
  Settings settings;
  MainWindow window{settings, QString::fromUtf8(aftershock::testing::kSimulatorPath)};
  Workspace workspace{window};
  SidePanels panels{window, workspace};
  Keeper keeper;

  explicit Opened(const QString& path, Keeping keeping = Keeping::kAll)
      : keeper(window, workspace, keeping) {
    window.resize(1200, 700);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    open(path);
  }
  void open(const QString& path) {
    QSignalSpy finished(&workspace, &Workspace::session_finished);
    window.open_file(path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(60000));
    timeline().setFocus();
  }
  LedgerBars& ledger() { return *window.findChild<LedgerBars*>(); }
  Timeline& timeline() { return workspace.timeline(); }
  NotesModel& notes() { return keeper.run().notes(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&timeline(), key, modifiers);
  }
  void write(const QString& text) {
    ASSERT_TRUE(keeper.editor().field().hasFocus());
    QTest::keyClicks(&keeper.editor().field(), text);
    QTest::keyClick(&keeper.editor().field(), Qt::Key_Return);
  }
  std::string word() { return window.statusBar()->currentMessage().toStdString(); }
  std::string message() { return window.findChild<MessageBar*>()->text().toStdString(); }
  std::string lane() {
    const auto& lane = timeline().state().lane;
    return lane ? text_of(workspace.session()->scene()->directory(), *lane) : "";
  }
  void show(TimeRange range) {
    ViewState next = timeline().state();
    next.shown = range;
    timeline().change(next);
  }
};

struct Kept : public ::testing::Test {
  SampleFile file{sample_lines()};
  QString beside = sidecar_path(file.path);

  /// The data folder belongs to the run and not to the file, and so to all tests.
  void SetUp() override { forget(); }
  static void forget() {
    QDir(QFileInfo(fallback_path(QStringLiteral("x"))).path()).removeRecursively();
  }
  static QStringList in_data_folder() {
    return QDir(QFileInfo(fallback_path(QStringLiteral("x"))).path()).entryList(QDir::Files);
  }
};

}  // namespace aftershock::gui::testing
