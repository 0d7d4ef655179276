#include "gui/app/comparison.h"

#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QProcess>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTemporaryDir>
#include <QTest>
#include <array>

#include <gtest/gtest.h>

#include "gui/app/main_window.h"
#include "gui/app/settings.h"
#include "gui/panels/compare_panel.h"
#include "gui/timeline/player.h"
#include "tests/gui/app/simulator.h"

namespace aftershock::gui {
namespace {

using testing::kSimulator;

/// A window with the quickstart as it is, which lasts 3 days, and without retries, which ends at
/// its first fault.
struct Compared {
  QTemporaryDir dir;
  Settings settings;
  MainWindow window{settings, kSimulator};
  Workspace workspace{window};
  Comparison comparison{window, workspace};
  std::array<QString, 2> paths{dir.filePath(QStringLiteral("a.aftershock")),
                               dir.filePath(QStringLiteral("b.aftershock"))};

  Compared() {
    const QString config = dir.filePath(QStringLiteral("config.json"));
    QFile file(config);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"max_failures": 0})");
    file.close();
    record(paths[0], {});
    record(paths[1], {QStringLiteral("--policy"), QStringLiteral("ray_train"),
                      QStringLiteral("--policy-config"), config});
    window.resize(1200, 800);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    window.open_file(paths[0], 0);
    window.open_file(paths[1], 1);
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return workspace.has_two() && !workspace.is_reading(); }, 60000));
  }
  static void record(const QString& path, const QStringList& options) {
    QProcess::execute(
        kSimulator, QStringList{QStringLiteral("run"), QStringLiteral("scenarios/quickstart.json"),
                                QStringLiteral("--quiet"), QStringLiteral("--record"), path} +
                        options);
    EXPECT_TRUE(QFile::exists(path));
  }
  Timeline& timeline(int run) { return workspace.pane(run).timeline(); }
  void act(ActionId id) { window.actions().action(id)->trigger(); }
  [[nodiscard]] bool enabled(ActionId id) { return window.actions().action(id)->isEnabled(); }
};

TEST(Comparison, ShowsTwoRunsOneAboveTheOther) {
  Compared c;
  ASSERT_TRUE(c.timeline(0).isVisible());
  ASSERT_TRUE(c.timeline(1).isVisible());
  EXPECT_LT(c.workspace.pane(0).y(), c.workspace.pane(1).y());
  EXPECT_EQ(c.timeline(1).accessibleName(), QStringLiteral("Timeline of run B"));
  EXPECT_EQ(c.workspace.run_at_hand(), 0);

  // Panels name their run; where the scenarios differ, times are not in microseconds.
  EXPECT_EQ(c.window.findChild<QDockWidget*>(QStringLiteral("comparison"))->windowTitle(),
            QStringLiteral("Comparison"));
  auto* map = c.window.add_panel(ActionId::kClusterMap, QStringLiteral("map"), new QWidget,
                                 Qt::RightDockWidgetArea);
  c.act(ActionId::kOtherRun);
  EXPECT_TRUE(map->windowTitle().endsWith(QStringLiteral(" of run B")));
  c.act(ActionId::kOtherRun);
  EXPECT_TRUE(map->windowTitle().endsWith(QStringLiteral(" of run A")));

  c.act(ActionId::kCompare);
  EXPECT_FALSE(c.timeline(1).isVisible());
  EXPECT_FALSE(c.enabled(ActionId::kOtherRun));
  c.act(ActionId::kCompare);
  EXPECT_TRUE(c.timeline(1).isVisible());

  c.act(ActionId::kClose);
  EXPECT_FALSE(c.timeline(1).isVisible());
  EXPECT_FALSE(c.enabled(ActionId::kSwap));
  EXPECT_FALSE(map->windowTitle().contains(QStringLiteral("of run")));
  EXPECT_EQ(c.timeline(0).accessibleName(), QStringLiteral("Timeline"));
}

TEST(Comparison, WhereOneClosesTheOtherStaysAsItIs) {
  Compared c;
  c.act(ActionId::kNextFault);
  c.act(ActionId::kZoomIn);
  c.window.set_status(QStringLiteral("word"), QStringLiteral("divergence 1 of 2"));
  const ViewState before = c.timeline(0).state();
  EXPECT_NE(before.lanes, LaneState());
  c.act(ActionId::kClose);
  EXPECT_EQ(c.timeline(0).state().lanes, before.lanes);
  EXPECT_EQ(c.timeline(0).state().cursor_us, before.cursor_us);
  EXPECT_EQ(c.timeline(0).state().shown, before.shown);
  for (const QLabel* label : c.window.statusBar()->findChildren<QLabel*>()) {
    EXPECT_FALSE(label->isVisible() && label->text().contains(QStringLiteral("divergence")));
  }
}

TEST(Comparison, OneRunFollowsTheOther) {
  Compared c;
  EXPECT_LT(c.workspace.pane(1).session()->trace().last_us, c.timeline(0).run().end_us / 2);
  // The end of the longer one has its place beside the shorter one.
  EXPECT_EQ(c.timeline(0).run(), c.timeline(1).run());
  EXPECT_EQ(c.timeline(0).state().shown, c.timeline(1).state().shown);

  c.act(ActionId::kNextFault);
  c.act(ActionId::kZoomInMore);
  EXPECT_EQ(c.timeline(0).state().shown, c.timeline(1).state().shown);
  EXPECT_EQ(c.timeline(0).state().cursor_us, c.timeline(1).state().cursor_us);

  c.act(ActionId::kOtherRun);
  EXPECT_EQ(c.workspace.run_at_hand(), 1);
  c.act(ActionId::kFitAll);
  c.act(ActionId::kToEnd);
  EXPECT_EQ(c.timeline(0).state().shown, c.timeline(1).state().shown);
  EXPECT_EQ(c.timeline(0).state().cursor_us, c.timeline(0).run().end_us);

  c.act(ActionId::kLinkCursors);
  c.act(ActionId::kToStart);
  EXPECT_NE(c.timeline(0).state().cursor_us, c.timeline(1).state().cursor_us);
  EXPECT_GT(c.timeline(0).run().end_us, c.timeline(1).run().end_us) << "each its own again";
  c.act(ActionId::kLinkCursors);
  EXPECT_EQ(c.timeline(0).state().cursor_us, c.timeline(1).state().cursor_us);
}

TEST(Comparison, LanesFollow) {
  Compared c;
  const auto open = [&c](int run) { return c.timeline(run).state().lanes; };
  EXPECT_EQ(open(0), open(1));
  c.act(ActionId::kCollapseAll);
  EXPECT_EQ(open(0), open(1));
  c.act(ActionId::kLaneDown);
  c.act(ActionId::kLaneDown);
  EXPECT_EQ(c.timeline(0).state().lane, c.timeline(1).state().lane);
  EXPECT_TRUE(c.timeline(1).state().lane.has_value());
}

TEST(Comparison, ReplayIsOfBoth) {
  Compared c;
  c.act(ActionId::kPlay);
  const auto apart = [&c] { return c.timeline(1).state().cursor_us > 0; };
  EXPECT_TRUE(QTest::qWaitFor(apart, 10000));
  c.act(ActionId::kStop);
  EXPECT_EQ(c.timeline(0).state().cursor_us, c.timeline(1).state().cursor_us);
}

TEST(Comparison, SwapsRuns) {
  Compared c;
  c.act(ActionId::kSwap);
  EXPECT_EQ(c.workspace.pane(0).session()->path(), c.paths[1]);
  EXPECT_EQ(c.window.run(0).path, c.paths[1]);
  EXPECT_EQ(c.timeline(0).accessibleName(), QStringLiteral("Timeline of run A"));
  EXPECT_TRUE(
      QTest::qWaitFor([&c] { return c.workspace.pane(0).y() < c.workspace.pane(1).y(); }, 5000));
  EXPECT_EQ(c.workspace.session()->path(), c.paths[0]) << "what is at hand stays at hand";
  // Closing the second run leaves the other.
  c.act(ActionId::kClose);
  EXPECT_EQ(c.workspace.session()->path(), c.paths[1]);
}

TEST(Comparison, SwapsRunsOfWhichOneIsShown) {
  Compared c;
  c.act(ActionId::kCompare);
  c.act(ActionId::kSwap);
  EXPECT_TRUE(c.timeline(0).isVisible());
  EXPECT_FALSE(c.timeline(1).isVisible());
  EXPECT_EQ(c.workspace.session()->path(), c.paths[1]);
  c.act(ActionId::kClose);
  EXPECT_TRUE(c.timeline(0).isVisible());
}

TEST(Comparison, OfOneRunThereIsNothingToBeSeen) {
  Compared c;
  EXPECT_TRUE(c.comparison.panel().isVisible());
  c.act(ActionId::kClose);
  EXPECT_FALSE(c.comparison.panel().isVisible());
  // As when it was open when the window was left.
  c.comparison.panel().parentWidget()->show();
  c.window.open_file(c.paths[1], 0);
  EXPECT_TRUE(QTest::qWaitFor([&c] { return !c.workspace.is_reading(); }, 60000));
  EXPECT_FALSE(c.comparison.panel().isVisible());
}

TEST(Comparison, GoesToWhereTheyPart) {
  Compared c;
  ASSERT_TRUE(QTest::qWaitFor([&c] { return c.comparison.panel().is_ready(); }, 20000));
  ASSERT_FALSE(c.comparison.panel().divergences().empty());
  c.act(ActionId::kNextDivergence);
  EXPECT_EQ(c.comparison.panel().current(), 0);
  EXPECT_EQ(c.timeline(0).state().cursor_us, c.comparison.panel().divergences()[0].a_us);
  EXPECT_TRUE(c.timeline(0).state().selection.has_value());
  EXPECT_TRUE(c.timeline(1).state().selection.has_value());
  EXPECT_EQ(c.workspace.run_at_hand(), 0);
}

TEST(Comparison, ThePanelsAreAboutTheRunAtHand) {
  Compared c;
  QSignalSpy opened(&c.workspace, &Workspace::session_opened);
  QSignalSpy finished(&c.workspace, &Workspace::session_finished);
  c.timeline(1).setFocus();
  EXPECT_EQ(opened.size(), 1);
  EXPECT_EQ(finished.size(), 1);
  EXPECT_EQ(c.workspace.session()->path(), c.paths[1]);
}

TEST(Comparison, AlignsByFault) {
  Compared c;
  c.act(ActionId::kAlignFault);
  c.act(ActionId::kNextFault);
  const Trace& a = c.workspace.pane(0).session()->trace();
  const Trace& b = c.workspace.pane(1).session()->trace();
  ASSERT_FALSE(b.faults.empty());
  EXPECT_EQ(c.timeline(0).state().cursor_us, a.faults[0].t_us);
  EXPECT_EQ(c.timeline(1).state().cursor_us, b.faults[0].t_us);
}

TEST(Comparison, ReadingARunAgainKeepsBoth) {
  Compared c;
  c.act(ActionId::kReload);
  EXPECT_TRUE(QTest::qWaitFor([&c] { return !c.workspace.is_reading(); }, 60000));
  EXPECT_EQ(c.timeline(0).state().shown, c.timeline(1).state().shown);
  // Another first file leaves the second.
  c.window.open_file(c.paths[1], 0);
  EXPECT_TRUE(QTest::qWaitFor([&c] { return !c.workspace.is_reading(); }, 60000));
  EXPECT_TRUE(c.workspace.has_two());
  EXPECT_EQ(c.timeline(0).run(), c.timeline(1).run());
}

}  // namespace
}  // namespace aftershock::gui
