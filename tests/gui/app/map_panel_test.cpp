#include "gui/app/map_panel.h"

#include <QDockWidget>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "gui/app/main_window.h"
#include "gui/app/settings.h"
#include "gui/app/workspace.h"
#include "gui/map/cluster_map.h"
#include "tests/gui/timeline/sample_cuts.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

struct WithMap {
  testing::SampleFile file{testing::sample_cuts()};
  Settings settings;
  MainWindow window{settings, QString()};
  Workspace workspace{window};
  ClusterMap& map = add_map_panel(window, workspace);

  WithMap() {
    window.resize(1200, 700);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    QSignalSpy finished(&workspace, &Workspace::session_finished);
    window.open_file(file.path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(60000));
  }
  void toggle() { window.actions().action(ActionId::kClusterMap)->trigger(); }
  LaneKey lane(const char* name) {
    return key_of(workspace.session()->scene()->directory(), name).value();
  }
};

TEST(MapPanel, IsHiddenUntilItIsAskedForAndFollowsTheCursor) {
  WithMap opened;
  EXPECT_FALSE(opened.map.isVisible());
  opened.workspace.timeline().go_to(17 * kSecond, std::nullopt);
  opened.toggle();
  EXPECT_TRUE(opened.map.isVisible());
  EXPECT_EQ(opened.map.counts(), QStringLiteral("1 up, 2 cut off, 1 down"));
  opened.workspace.timeline().play_to(41 * kSecond);
  EXPECT_EQ(opened.map.counts(), QStringLiteral("3 up, 1 down"));
  opened.toggle();
  EXPECT_FALSE(opened.map.isVisible());
}

TEST(MapPanel, LeadsToALaneOfTheTimeline) {
  WithMap opened;
  opened.workspace.timeline().go_to(17 * kSecond, std::nullopt);
  opened.toggle();
  const LaneKey lane = opened.lane("node:gpu-1");
  QTest::mouseClick(&opened.map, Qt::LeftButton, {},
                    opened.map.box_of(cell_of(opened.map.cells(), lane)).center());
  EXPECT_EQ(opened.workspace.timeline().state().lane, lane);
  EXPECT_EQ(opened.workspace.timeline().state().cursor_us, 17 * kSecond);
}

TEST(MapPanel, OutlivesTheRun) {
  WithMap opened;
  opened.toggle();
  opened.window.close_run(0);
  QCoreApplication::processEvents();
  EXPECT_EQ(opened.map.counts(), QString());
  opened.window.open_file(opened.file.path, 0);
  QSignalSpy finished(&opened.workspace, &Workspace::session_finished);
  EXPECT_TRUE(finished.wait(60000));
  EXPECT_EQ(opened.map.counts(), QStringLiteral("4 up"));
}

}  // namespace
}  // namespace aftershock::gui
