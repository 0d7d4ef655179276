#include "gui/app/follow.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "gui/app/main_window.h"
#include "gui/app/message_bar.h"
#include "gui/app/settings.h"
#include "gui/app/workspace.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

/// A window with a recording that grows.
struct Growing {
  testing::SampleFile file{testing::sample_lines()};
  Settings settings;
  MainWindow window{settings, QString()};
  Workspace workspace{window};
  Follow follow{window, workspace};

  Growing() {
    window.resize(1000, 500);
    window.show();
    Q_EMIT window.run_opened(0, file.path, true, false);
    wait_for(64);
    act(ActionId::kZoomIn);
    act(ActionId::kZoomIn);
  }
  Timeline& timeline() { return workspace.timeline(); }
  void wait_for(std::int64_t end_s) {
    EXPECT_TRUE(QTest::qWaitFor([&] { return timeline().run().end_us >= end_s * kSecond; }, 20000));
  }
  void grow(std::int64_t to_s) {
    file.add(R"({"t":)" + std::to_string(to_s * kSecond) +
             R"(,"r":"instant","on":"job:llm","what":"said"})" + "\n");
    wait_for(to_s);
  }
  void act(ActionId id) { window.actions().action(id)->trigger(); }
  [[nodiscard]] std::int64_t length() { return length_of(timeline().state().shown); }
  static std::int64_t length_of(const TimeRange& range) { return range.end_us - range.begin_us; }
  [[nodiscard]] bool sees_end() {
    const TimeRange& shown = timeline().state().shown;
    return shown.begin_us < timeline().run().end_us && shown.end_us >= timeline().run().end_us;
  }
};

TEST(Follow, KeepsTheEndInViewAndTheZoomUntilOneMovesAway) {
  Growing run;
  const std::int64_t zoom = run.length();
  run.grow(100);
  EXPECT_FALSE(run.sees_end()) << "nobody follows yet";
  run.act(ActionId::kFollow);
  EXPECT_TRUE(run.follow.is_on());
  EXPECT_TRUE(run.sees_end());
  for (const std::int64_t to_s : {200, 300, 1000}) {
    run.grow(to_s);
    EXPECT_TRUE(run.follow.is_on());
    EXPECT_TRUE(run.sees_end()) << to_s;
    EXPECT_EQ(run.length(), zoom);
  }
  run.act(ActionId::kPanLeftPage);
  EXPECT_FALSE(run.follow.is_on());
  EXPECT_FALSE(run.window.actions().action(ActionId::kFollow)->isChecked());
  const TimeRange stays = run.timeline().state().shown;
  run.grow(2000);
  EXPECT_EQ(run.timeline().state().shown, stays);
  run.act(ActionId::kFollow);
  EXPECT_TRUE(run.sees_end());
  EXPECT_EQ(run.length(), zoom);
}

TEST(Follow, EndsWithEachWayToMoveAway) {
  Growing run;
  for (const ActionId id : {ActionId::kZoomIn, ActionId::kZoomOut, ActionId::kPanLeft,
                            ActionId::kToStart, ActionId::kNextFault}) {
    run.act(ActionId::kFollow);
    ASSERT_TRUE(run.follow.is_on());
    run.act(id);
    EXPECT_FALSE(run.follow.is_on()) << static_cast<int>(id);
  }
}

TEST(Follow, IsNotOnForWhatDoesNotGrow) {
  Growing run;
  run.act(ActionId::kFollow);
  QSignalSpy finished(&run.workspace, &Workspace::session_finished);
  Q_EMIT run.window.run_finished(0);
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(20000));
  EXPECT_FALSE(run.follow.is_on());
  EXPECT_FALSE(run.window.actions().action(ActionId::kFollow)->isChecked());
}

// The writer of a partial recording may go on elsewhere.
TEST(Follow, ReadsOnWhatIsNotWhole) {
  Growing run;
  QSignalSpy finished(&run.workspace, &Workspace::session_finished);
  Q_EMIT run.window.run_finished(0);
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(20000));
  run.act(ActionId::kFollow);
  EXPECT_TRUE(run.follow.is_on());
  EXPECT_TRUE(run.workspace.is_reading());
}

// The zoom stays, and so does where one was when all has been written.
TEST(Follow, OfWhatWasReadBeforeKeepsTheZoomAndTheEnd) {
  Growing run;
  QSignalSpy finished(&run.workspace, &Workspace::session_finished);
  Q_EMIT run.window.run_finished(0);
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(20000));
  run.act(ActionId::kToStart);
  const std::int64_t zoom = run.length();
  run.window.say(QStringLiteral("it ends too soon"));
  run.act(ActionId::kFollow);
  EXPECT_FALSE(run.window.findChild<MessageBar*>()->isVisible());
  EXPECT_TRUE(QTest::qWaitFor([&] { return run.length() == zoom && run.sees_end(); }, 5000));
  EXPECT_TRUE(run.follow.is_on());
  run.grow(500);
  EXPECT_TRUE(run.follow.is_on());
  EXPECT_EQ(run.length(), zoom);
  EXPECT_TRUE(run.sees_end());
  finished.clear();
  Q_EMIT run.window.run_finished(0);
  EXPECT_TRUE(!finished.isEmpty() || finished.wait(20000));
  EXPECT_EQ(run.length(), zoom);
  EXPECT_TRUE(run.sees_end());
}

TEST(Follow, MovesARangeByItsLengthAndNoMore) {
  EXPECT_EQ(following({0, 160}, {0, 1600}), (TimeRange{1450, 1610}));
  // All of it stays all of it.
  EXPECT_EQ(following(limits_of({0, 3200}), {0, 3200}), limits_of({0, 3200}));
}

}  // namespace
}  // namespace aftershock::gui
