#include "gui/app/main_window.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextEdit>
#include <QToolBar>
#include <QUrl>
#include <algorithm>

#include <gtest/gtest.h>

#include "gui/app/message_bar.h"
#include "gui/app/run_again_dialog.h"
#include "gui/app/settings.h"
#include "gui/app/welcome_page.h"
#include "tests/gui/app/simulator.h"

namespace aftershock::gui {
namespace {

using testing::kLong;
using testing::kQuickstart;
using testing::kSimulator;

struct ShownWindow {
  Settings settings;
  MainWindow window{settings, kSimulator};
  QSignalSpy opened{&window, &MainWindow::run_opened};
  QSignalSpy finished{&window, &MainWindow::run_finished};
  QSignalSpy closed{&window, &MainWindow::run_closed};

  ShownWindow() {
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
  }
  QString message() { return window.findChild<MessageBar*>()->text(); }
  void run(const QString& scenario, int run, const QStringList& options = {}) {
    finished.clear();
    window.open_file(scenario, run, options);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(kLong)) << message().toStdString();
  }
};

QString absolute(const QString& path) { return QFileInfo(path).absoluteFilePath(); }

QString recorded(const QTemporaryDir& dir) {
  const QString path = dir.filePath(QStringLiteral("a.aftershock"));
  EXPECT_EQ(
      QProcess::execute(kSimulator, {QStringLiteral("run"), kQuickstart, QStringLiteral("--quiet"),
                                     QStringLiteral("--record"), path}),
      0);
  return path;
}

TEST(MainWindow, OpensARecordingAndSaysWhatItIs) {
  const QTemporaryDir dir;
  const QString path = recorded(dir);
  ShownWindow shown;
  EXPECT_EQ(shown.window.windowTitle(), QStringLiteral("Aftershock"));
  shown.window.open_file(path, 0);
  ASSERT_EQ(shown.opened.size(), 1);
  EXPECT_EQ(shown.opened[0], (QList<QVariant>{0, path, false, false}));
  EXPECT_TRUE(shown.window.windowTitle().startsWith(
      QStringLiteral("quickstart, seed 36, ray_train@2026-05 (")))
      << shown.window.windowTitle().toStdString();
  EXPECT_EQ(Settings().recent().value(0), QFileInfo(path).absoluteFilePath());
  EXPECT_EQ(shown.message(), QString());

  shown.window.actions().action(ActionId::kClose)->trigger();
  EXPECT_EQ(shown.closed.size(), 1);
  EXPECT_EQ(shown.window.windowTitle(), QStringLiteral("Aftershock"));
  EXPECT_FALSE(shown.window.actions().action(ActionId::kClose)->isEnabled());
}

// Without a retry the job dies of the first fault, and the scenario requires the others to bite.
TEST(MainWindow, ARequirementThatARunAgainMissesIsANote) {
  const QTemporaryDir dir;
  ShownWindow shown;
  shown.window.open_file(recorded(dir), 0);
  shown.window.actions().action(ActionId::kRunAgain)->trigger();
  auto* dialog = shown.window.findChild<RunAgainDialog*>();
  ASSERT_NE(dialog, nullptr);
  dialog->findChild<QPlainTextEdit*>()->setPlainText(QStringLiteral("{\"max_failures\": 0}"));
  shown.finished.clear();
  dialog->accept();
  ASSERT_TRUE(!shown.finished.isEmpty() || shown.finished.wait(kLong));
  EXPECT_EQ(shown.message(), QString());
  const auto labels = shown.window.statusBar()->findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(labels, [](const QLabel* label) {
    return label->text().contains(QStringLiteral("did not bite in run B"));
  }));
}

TEST(MainWindow, RunsAScenarioAndOpensWhatItRecords) {
  ShownWindow shown;
  shown.run(kQuickstart, 0, {QStringLiteral("--seed"), QStringLiteral("5")});
  ASSERT_EQ(shown.opened.size(), 1);
  EXPECT_EQ(shown.opened[0][2], true) << "it grows";
  EXPECT_EQ(shown.opened[0][3], true) << "it is temporary";
  EXPECT_TRUE(shown.window.windowTitle().startsWith(QStringLiteral("quickstart, seed 5")));
  EXPECT_FALSE(shown.window.run(0).growing);
  shown.window.set_view_words([] { return QStringList({QStringLiteral("--at=1h 5min")}); });
  shown.window.actions().action(ActionId::kCopyCommand)->trigger();
  EXPECT_EQ(QApplication::clipboard()->text(),
            QStringLiteral("aftershock-viewer '--at=1h 5min' --seed 5 ") + absolute(kQuickstart));
}

TEST(MainWindow, RunsAgainAsTheSecond) {
  ShownWindow shown;
  EXPECT_FALSE(shown.window.actions().action(ActionId::kRunAgain)->isEnabled());
  shown.run(kQuickstart, 0);
  EXPECT_TRUE(shown.window.actions().action(ActionId::kRunAgain)->isEnabled());
  shown.finished.clear();
  shown.window.run_again({.policy = QStringLiteral("ray_train@2026-09"),
                          .config = QStringLiteral("{\"max_failures\": 8}"),
                          .seed = QStringLiteral("9")});
  ASSERT_TRUE(shown.finished.wait(kLong)) << shown.message().toStdString();
  EXPECT_EQ(shown.finished[0][0], 1);
  ASSERT_TRUE(shown.window.run(1).title);
  EXPECT_EQ(shown.window.run(1).title->seed, 9U);
  EXPECT_EQ(shown.window.run(1).title->policy, QStringLiteral("ray_train@2026-09"));
  EXPECT_EQ(shown.window.run(1).title->name, QStringLiteral("quickstart"));
  EXPECT_TRUE(shown.window.windowTitle().startsWith(QStringLiteral("A: quickstart, seed 36")));
  shown.window.actions().action(ActionId::kCopyCommand)->trigger();
  // The second was run with what no command can say of one file and not of the other.
  EXPECT_EQ(QApplication::clipboard()->text(),
            QStringLiteral("aftershock-viewer ") + absolute(kQuickstart));
  shown.window.swap_runs();
  EXPECT_TRUE(shown.window.windowTitle().startsWith(QStringLiteral("A: quickstart, seed 9")));
}

TEST(MainWindow, SaysWhatCannotBeOpened) {
  ShownWindow shown;
  shown.window.open_file(QStringLiteral("README.md"), 0);
  EXPECT_TRUE(shown.message().contains(QStringLiteral("text, but neither")));
  EXPECT_TRUE(shown.opened.isEmpty());
  shown.window.open_file(QStringLiteral("gone.aftershock"), 0);
  EXPECT_TRUE(shown.message().contains(QStringLiteral("No such file")));
}

TEST(MainWindow, TakesWhatIsDropped) {
  const QTemporaryDir dir;
  const QString path = recorded(dir);
  ShownWindow shown;
  QMimeData files;
  files.setUrls({QUrl::fromLocalFile(path), QUrl::fromLocalFile(path)});
  QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&shown.window, &enter);
  EXPECT_TRUE(enter.isAccepted());
  QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &files, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&shown.window, &drop);
  ASSERT_EQ(shown.opened.size(), 2);
  EXPECT_EQ(shown.opened[1][0], 1);
}

TEST(MainWindow, NamesFromAFileAreText) {
  const QTemporaryDir dir;
  const QString path = dir.filePath(QStringLiteral("x.aftershock"));
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write(
      "{\"r\":\"header\",\"schema\":1,\"version\":\"0\",\"commit\":\"c\",\"scenario\":{\"name\":"
      "\"a\\n<b>&\\u0007\"},"
      "\"digest\":\"0\",\"seed\":3,\"policy\":\"\",\"jobs\":[],\"entities\":[],\"policies\":[],"
      "\"buckets\":[]}\n");
  file.close();
  ShownWindow shown;
  shown.window.open_file(path, 0);
  EXPECT_TRUE(shown.window.windowTitle().startsWith(QStringLiteral("a?<b>&?")))
      << shown.window.windowTitle().toStdString();
}

TEST(MainWindow, ThemeAndSizeOfTextAreChangedAndKept) {
  ShownWindow shown;
  const QSignalSpy changed(&shown.window, &MainWindow::theme_changed);
  shown.window.actions().action(ActionId::kLight)->trigger();
  EXPECT_EQ(changed.size(), 1);
  EXPECT_EQ(QApplication::palette().color(QPalette::Base).rgb(), inks(Theme::kLight).lane);
  EXPECT_EQ(Settings().theme(), Theme::kLight);
  const qreal before = shown.window.menuBar()->font().pointSizeF();
  shown.window.actions().action(ActionId::kScaleUp)->trigger();
  EXPECT_NEAR(shown.window.menuBar()->font().pointSizeF(), before * 1.1, 0.01);
  shown.window.actions().action(ActionId::kScaleReset)->trigger();
  EXPECT_NEAR(shown.window.menuBar()->font().pointSizeF(), before, 0.01);
  shown.window.actions().action(ActionId::kDark)->trigger();
}

TEST(MainWindow, PanelsAreToggledReachedByKeysAndRestored) {
  {
    ShownWindow shown;
    auto* document = new QTextEdit;
    auto* events = new QLineEdit;
    shown.window.set_document(document);
    QDockWidget* dock = shown.window.add_panel(ActionId::kLedger, QStringLiteral("ledger"), events,
                                               Qt::BottomDockWidgetArea);
    const QTemporaryDir dir;
    shown.window.open_file(recorded(dir), 0);
    EXPECT_TRUE(document->isVisible());
    document->setFocus();
    EXPECT_TRUE(document->hasFocus());
    QTest::keyClick(shown.window.focusWidget(), Qt::Key_F6);
    EXPECT_TRUE(events->hasFocus());
    QTest::keyClick(shown.window.focusWidget(), Qt::Key_F6);
    EXPECT_TRUE(document->hasFocus());
    QTest::keyClick(shown.window.focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
    EXPECT_TRUE(events->hasFocus());
    QAction* toggle = shown.window.actions().action(ActionId::kLedger);
    EXPECT_TRUE(toggle->isChecked());
    toggle->trigger();
    EXPECT_TRUE(dock->isHidden());
    dock->show();
    EXPECT_TRUE(toggle->isChecked());
    toggle->trigger();
    shown.window.close();
  }
  ShownWindow again;
  QDockWidget* dock = again.window.add_panel(ActionId::kLedger, QStringLiteral("ledger"),
                                             new QLineEdit, Qt::BottomDockWidgetArea);
  again.window.restore_window();
  EXPECT_TRUE(dock->isHidden()) << "as it was left";
  EXPECT_FALSE(again.window.actions().action(ActionId::kLedger)->isChecked());
}

TEST(MainWindow, KeepsWhatTheUserWroteInTheSettingsOrSaysWhyNot) {
  {
    QSettings store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("aftershock"),
                    QStringLiteral("viewer"));
    store.setValue(QStringLiteral("keys/file.quit"), QStringLiteral("Ctrl+Alt+Q"));
    store.setValue(QStringLiteral("keys/file.open"), QStringLiteral("Ctrl+W"));
  }
  ShownWindow shown;
  EXPECT_EQ(shown.window.actions().action(ActionId::kQuit)->shortcut(),
            QKeySequence(QStringLiteral("Ctrl+Alt+Q")));
  EXPECT_TRUE(shown.message().contains(QStringLiteral("file.open")));
}

// A screen reader finds nothing without a name that can be pressed, chosen or typed in.
TEST(MainWindow, NothingToUseIsWithoutAName) {
  ShownWindow shown;
  shown.window.say(QStringLiteral("something"));
  RunAgainDialog dialog({}, {}, {}, {}, &shown.window);
  int named = 0;
  for (QWidget* top : {static_cast<QWidget*>(&shown.window), static_cast<QWidget*>(&dialog)}) {
    for (QWidget* widget : top->findChildren<QWidget*>()) {
      QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
      if (face == nullptr || widget->objectName().startsWith(QStringLiteral("qt_"))) {
        continue;
      }
      switch (face->role()) {
        case QAccessible::Button:
        case QAccessible::EditableText:
        case QAccessible::List:
        case QAccessible::ComboBox:
        case QAccessible::Slider:
        case QAccessible::ProgressBar:
        case QAccessible::Table:
          EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
              << widget->metaObject()->className() << " in "
              << widget->parentWidget()->metaObject()->className();
          ++named;
          break;
        default:
          break;
      }
    }
  }
  EXPECT_GT(named, 5);
}

TEST(MainWindow, ToolsAreThoseThatWork) {
  ShownWindow shown;
  const auto texts = [&] {
    QStringList all;
    for (const QAction* action : shown.window.tools().actions()) {
      if (action->isVisible()) {
        all << (action->isSeparator() ? QStringLiteral("|") : action->iconText());
      }
    }
    return all.join(u' ');
  };
  EXPECT_EQ(texts(), QStringLiteral("Open Open second run Run again with"));
  shown.window.actions().handle(ActionId::kPreviousFault, [] {});
  shown.window.actions().handle(ActionId::kNextFault, [] {});
  EXPECT_EQ(texts(),
            QStringLiteral("Open Open second run Run again with | Previous fault Next fault"));
}

TEST(MainWindow, LivesAtEverySize) {
  ShownWindow shown;
  for (const QSize& size : {QSize(1, 1), QSize(200, 2000), QSize(3000, 300)}) {
    shown.window.resize(size);
    EXPECT_FALSE(shown.window.grab().isNull());
  }
}

}  // namespace
}  // namespace aftershock::gui
