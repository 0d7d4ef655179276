#include "gui/app/replay_controls.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <QToolBar>
#include <set>

#include <gtest/gtest.h>

#include "gui/app/main_window.h"
#include "gui/app/settings.h"
#include "gui/app/workspace.h"
#include "tests/gui/timeline/sample_run.h"

namespace aftershock::gui {
namespace {

struct Replayed {
  testing::SampleFile file{testing::sample_lines()};
  Settings settings;
  MainWindow window{settings, QString()};
  Workspace workspace{window};
  ReplayControls controls{window, workspace};

  Replayed() {
    QSignalSpy finished(&workspace, &Workspace::session_finished);
    window.show();
    window.open_file(file.path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(60000));
  }
  QComboBox& field() { return *window.tools().findChild<QComboBox*>(); }
  const ReplayClock& clock() { return workspace.player().clock(); }
  void act(ActionId id) { window.actions().action(id)->trigger(); }
};

TEST(ReplayControls, KeysReachEverySpeedAndTheFieldFollows) {
  Replayed opened;
  for (int i = 0; i < 30; ++i) {
    opened.act(ActionId::kSlower);
  }
  EXPECT_EQ(opened.clock().speed, 1);
  EXPECT_EQ(opened.field().currentText(), QStringLiteral("1×"));
  std::set<std::int64_t> reached;
  for (int i = 0; i < 30; ++i) {
    reached.insert(opened.clock().speed);
    EXPECT_GE(opened.field().currentIndex(), 0) << opened.clock().speed;
    EXPECT_TRUE(opened.workspace.player().text().endsWith(opened.field().currentText()));
    opened.act(ActionId::kFaster);
  }
  EXPECT_EQ(reached.size(), 19U);
  EXPECT_EQ(opened.clock().speed, 1'000'000);
  EXPECT_EQ(opened.field().currentText(), QStringLiteral("1,000,000×"));
}

TEST(ReplayControls, ThePlayButtonSaysWhatItDoes) {
  Replayed opened;
  const QAction& play = *opened.window.actions().action(ActionId::kPlay);
  EXPECT_EQ(play.toolTip(), QStringLiteral("Play"));
  const qint64 still = play.icon().cacheKey();
  opened.act(ActionId::kPlay);
  EXPECT_EQ(play.toolTip(), QStringLiteral("Pause"));
  EXPECT_NE(play.icon().cacheKey(), still);
  // The icon stays the right one in the other theme.
  opened.act(opened.window.theme() == Theme::kDark ? ActionId::kLight : ActionId::kDark);
  EXPECT_EQ(play.toolTip(), QStringLiteral("Pause"));
  opened.act(ActionId::kPlay);
  EXPECT_EQ(play.toolTip(), QStringLiteral("Play"));
  // The field stands behind the buttons of the speed.
  const auto tools = opened.window.tools().actions();
  const auto at = tools.indexOf(opened.window.actions().action(ActionId::kFaster));
  ASSERT_GE(at, 0);
  EXPECT_EQ(opened.window.tools().widgetForAction(tools.value(at + 1)), &opened.field());
}

TEST(ReplayControls, EachItemOfTheFieldIsASpeed) {
  Replayed opened;
  EXPECT_FALSE(opened.field().accessibleName().isEmpty());
  for (int item = 0; item < opened.field().count(); ++item) {
    if (!opened.field().itemData(item).isValid()) {
      continue;
    }
    Q_EMIT opened.field().activated(item);
    EXPECT_EQ(speed_text(opened.clock()), opened.field().itemText(item));
    EXPECT_EQ(opened.field().currentIndex(), item);
    EXPECT_EQ(opened.window.actions().action(ActionId::kPlayEvents)->isChecked(),
              opened.clock().events_per_s > 0);
  }
  EXPECT_GT(opened.clock().events_per_s, 0);
  opened.act(ActionId::kPlayEvents);
  EXPECT_EQ(opened.clock().events_per_s, 0);
  opened.act(ActionId::kSlowAtFaults);
  EXPECT_FALSE(opened.clock().slow_at_faults);
}

TEST(ReplayControls, LoopOverTheSelectionElseTheView) {
  Replayed opened;
  Timeline& timeline = opened.workspace.timeline();
  opened.act(ActionId::kLoop);
  EXPECT_EQ(opened.clock().loop_begin_us, timeline.state().shown.begin_us);
  EXPECT_EQ(opened.clock().loop_end_us, timeline.state().shown.end_us);
  opened.act(ActionId::kLoop);
  EXPECT_EQ(opened.clock().loop_begin_us, std::nullopt);
  ViewState next = timeline.state();
  next.selection = Selection{.lane = std::nullopt, .time = {32'000'000, 48'000'000}};
  timeline.change(next);
  opened.act(ActionId::kLoop);
  EXPECT_EQ(opened.clock().loop_begin_us, 32'000'000);
  EXPECT_EQ(opened.clock().loop_end_us, 48'000'000);
  EXPECT_EQ(timeline.state().cursor_us, 32'000'000) << "it plays what is chosen";
  EXPECT_TRUE(opened.window.actions().action(ActionId::kLoop)->isChecked());
  // Another run is another time.
  opened.window.open_file(opened.file.path, 0);
  EXPECT_EQ(opened.clock().loop_begin_us, std::nullopt);
}

}  // namespace
}  // namespace aftershock::gui
