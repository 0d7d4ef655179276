#include "gui/timeline/timeline.h"

#include <QScrollBar>
#include <QSignalSpy>
#include <QStatusBar>
#include <QTest>
#include <cmath>

#include <gtest/gtest.h>

#include "gui/theme/look.h"
#include "gui/timeline/player.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/gui/timeline/shown_timeline.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

using testing::header_of;
using testing::read_all;
using testing::sample_lines;
using testing::ShownTimeline;

TEST(Timeline, PixelsAndTimesAreEachOthersInverse) {
  const ShownTimeline shown;
  EXPECT_EQ(shown.timeline->state().shown, limits_of({0, 64 * kSecond}));
  const Layout layout = shown.timeline->layout_now();
  for (int x = layout.label_px; x < layout.width; ++x) {
    EXPECT_NEAR(shown.timeline->x_at(shown.timeline->time_at(x)), x, 0.01);
  }
}

TEST(Timeline, WheelZoomsAboutThePointerPansAndIsUndoneAsOne) {
  const ShownTimeline shown;
  const TimeRange all = shown.timeline->state().shown;
  const int x = shown.x_of(32 * kSecond);
  const std::int64_t before = shown.timeline->time_at(x);
  shown.wheel(x, 1, Qt::ControlModifier);
  shown.wheel(x, 1, Qt::ControlModifier);
  const TimeRange closer = shown.timeline->state().shown;
  EXPECT_LT(closer.end_us - closer.begin_us, (all.end_us - all.begin_us) * 6 / 10);
  // Borders are put on round times, which moves them by some pixels.
  EXPECT_NEAR(shown.timeline->x_at(before), x, 60);
  shown.wheel(x, -3, Qt::ShiftModifier);
  EXPECT_GT(shown.timeline->state().shown.begin_us, closer.begin_us);
  shown.actions->action(ActionId::kUndoView)->trigger();
  EXPECT_EQ(shown.timeline->state().shown, all);
  shown.actions->action(ActionId::kRedoView)->trigger();
  EXPECT_GT(shown.timeline->state().shown.begin_us, closer.begin_us);
}

TEST(Timeline, ClickSelectsTheSpanAndDoubleClickFitsIt) {
  const ShownTimeline shown;
  QSignalSpy selected(shown.timeline, &Timeline::selection_changed);
  const QPoint at(shown.x_of(40 * kSecond), shown.y_of("job:llm/phases"));
  QTest::mouseClick(shown.port(), Qt::LeftButton, {}, at);
  ASSERT_TRUE(shown.timeline->state().selection.has_value());
  EXPECT_EQ(shown.timeline->state().selection->time, (TimeRange{32 * kSecond, 48 * kSecond}));
  EXPECT_EQ(selected.size(), 1);
  EXPECT_NEAR(static_cast<double>(shown.timeline->state().cursor_us), 40e6, 2e5);
  EXPECT_TRUE(shown.timeline->announced().startsWith(QStringLiteral("restoring")));
  EXPECT_EQ(shown.timeline->accessibleDescription(), shown.timeline->announced());
  QTest::mouseDClick(shown.port(), Qt::LeftButton, {}, at);
  // All of it and a 16th on both sides.
  EXPECT_EQ(shown.timeline->state().shown, (TimeRange{31 * kSecond, 49 * kSecond}));
  QTest::keyClick(shown.timeline, Qt::Key_Escape);
  EXPECT_FALSE(shown.timeline->state().selection.has_value());
}

// A fault is an instant; what it brought about is from 32 s to 48 s.
TEST(Timeline, FocusTwiceOnAFaultShowsWhatCameOfIt) {
  testing::SampleFile file(testing::header_of(4) + R"({"t":0,"r":"begin","on":"job:llm","id":1,)"
                                                   R"("what":"training"}
{"t":32000000,"r":"end","id":1}
{"t":32000000,"r":"fault","on":"node:gpu-1","number":0,"id":"a","kind":"node_crash",)"
                                                   R"("outcome":"fired"}
{"t":32000000,"r":"begin","on":"job:llm","id":2,"what":"restoring","cause":0}
{"t":48000000,"r":"end","id":2}
{"t":96000000,"r":"instant","on":"job:llm","what":"said"}
)");
  RunSession session(file.path, false);
  testing::read_all(session);
  Timeline timeline;
  timeline.resize(900, 400);
  timeline.set_session(&session);
  const ActionHandlers handlers = timeline.handlers();
  const auto act = [&](ActionId id) { handlers.all().at(id)(false); };
  act(ActionId::kNextFault);
  act(ActionId::kFocusSelection);
  act(ActionId::kFocusSelection);
  EXPECT_EQ(timeline.state().shown, (TimeRange{31 * kSecond, 49 * kSecond}));
}

TEST(Timeline, DragPans) {
  const ShownTimeline shown;
  shown.actions->action(ActionId::kZoomIn)->trigger();
  const TimeRange before = shown.timeline->state().shown;
  const int y = shown.y_of("job:llm");
  QTest::mousePress(shown.port(), Qt::LeftButton, {}, {600, y});
  QTest::mouseMove(shown.port(), {500, y});
  QTest::mouseMove(shown.port(), {400, y});
  QTest::mouseRelease(shown.port(), Qt::LeftButton, {}, {400, y});
  const auto moved = static_cast<double>(shown.timeline->state().shown.begin_us - before.begin_us);
  EXPECT_NEAR(moved, 200 * shown.timeline->us_a_pixel(), 2 * shown.timeline->us_a_pixel());
  EXPECT_FALSE(shown.timeline->state().selection.has_value());
}

TEST(Timeline, KeysGoFromFaultToFaultAndTellWhere) {
  const ShownTimeline shown;
  QTest::keyClick(shown.timeline, Qt::Key_N);
  EXPECT_EQ(shown.timeline->state().cursor_us, 32 * kSecond);
  EXPECT_EQ(shown.lane(), "node:gpu-1");
  EXPECT_EQ(shown.timeline->announced(), QStringLiteral("fault 1 of 2, node:gpu-1, at 32 s"));
  ASSERT_TRUE(shown.timeline->state().selection.has_value());
  EXPECT_EQ(shown.timeline->state().selection->time.begin_us, 32 * kSecond);
  QTest::keyClick(shown.timeline, Qt::Key_N);
  EXPECT_EQ(shown.lane(), "node:gpu-2");
  QTest::keyClick(shown.timeline, Qt::Key_N);
  EXPECT_EQ(shown.timeline->announced(), QStringLiteral("no fault after this"));
  QTest::keyClick(shown.timeline, Qt::Key_N, Qt::ShiftModifier);
  EXPECT_EQ(shown.timeline->state().cursor_us, 32 * kSecond);
}

TEST(Timeline, KeysMeetEveryFaultAndDecisionOfAMoment) {
  const std::string at = R"({"t":32000000,"r":)";
  const std::string crash = R"("kind":"node_crash","what":"power","outcome":"fired"})";
  const auto fault = [&](const char* n) {
    return at + R"("fault","on":"node:gpu-)" + n + R"(","number":)" + n + R"(,"id":"f)" + n +
           R"(","target":"node:gpu-)" + n + "\"," + crash + "\n";
  };
  const auto decision = [&](const char* batch) {
    return at + R"("decision","on":"job:llm","batch":)" + batch + R"(,"fault":"f0","steps":[]})" +
           "\n";
  };
  const ShownTimeline shown(header_of(4) +
                            R"({"t":0,"r":"begin","on":"job:llm","id":9,"what":"training"}
)" + fault("0") + fault("1") +
                            decision("1") + fault("2") + decision("2") +
                            R"({"t":64000000,"r":"end","id":9}
)");
  const auto said = [&](Qt::Key key, Qt::KeyboardModifiers keys = {}) {
    QTest::keyClick(shown.timeline, key, keys);
    return shown.timeline->announced().section(u',', 0, 0).toStdString();
  };
  EXPECT_EQ(said(Qt::Key_N), "fault 1 of 3");
  EXPECT_EQ(said(Qt::Key_N), "fault 2 of 3");
  EXPECT_EQ(said(Qt::Key_Y), "decision 1 of 2");
  EXPECT_EQ(said(Qt::Key_N), "fault 3 of 3");
  EXPECT_EQ(said(Qt::Key_Y), "decision 2 of 2");
  EXPECT_EQ(said(Qt::Key_N), "no fault after this");
  EXPECT_EQ(said(Qt::Key_N, Qt::ShiftModifier), "fault 3 of 3");
  EXPECT_EQ(said(Qt::Key_Y, Qt::ShiftModifier), "decision 1 of 2");
  EXPECT_EQ(said(Qt::Key_N, Qt::ShiftModifier), "fault 2 of 3");
}

TEST(Timeline, AReplayCrossesTheViewInHalfAMinuteUntilASpeedIsChosen) {
  const ShownTimeline shown;
  Player player(*shown.timeline);
  player.handle_actions(*shown.actions);
  const auto act = [&](ActionId id) { shown.actions->action(id)->trigger(); };
  act(ActionId::kPlay);
  EXPECT_EQ(player.clock().speed, 64 / 30);
  act(ActionId::kStop);
  act(ActionId::kFaster);
  EXPECT_EQ(player.clock().speed, 5);
  act(ActionId::kPlay);
  EXPECT_EQ(player.clock().speed, 5);
  act(ActionId::kStop);
}

TEST(Timeline, WhatAKeyDidIsSaidWhereverThePointerIs) {
  ShownTimeline shown;
  shown.window.statusBar();
  for (const char* words : {"fault 1 of 2", "fault 2 of 2", "no fault after this"}) {
    QTest::keyClick(shown.timeline, Qt::Key_N);
    EXPECT_TRUE(shown.window.statusBar()->currentMessage().startsWith(QLatin1StringView(words)))
        << shown.window.statusBar()->currentMessage().toStdString();
  }
}

TEST(Timeline, KeysMoveThroughTimeAndLanes) {
  const ShownTimeline shown;
  const auto length = [&] {
    return shown.timeline->state().shown.end_us - shown.timeline->state().shown.begin_us;
  };
  const std::int64_t all = length();
  QTest::keyClick(shown.timeline, Qt::Key_W);
  EXPECT_LE(length(), all / 2 + 1);
  const std::int64_t begin = shown.timeline->state().shown.begin_us;
  QTest::keyClick(shown.timeline, Qt::Key_D);
  EXPECT_GT(shown.timeline->state().shown.begin_us, begin);
  QTest::keyClick(shown.timeline, Qt::Key_0);
  EXPECT_EQ(length(), all);
  QTest::keyClick(shown.timeline, Qt::Key_End);
  EXPECT_EQ(shown.timeline->state().cursor_us, 64 * kSecond);
  QTest::keyClick(shown.timeline, Qt::Key_Home);
  EXPECT_EQ(shown.timeline->state().cursor_us, 0);
  QTest::keyClick(shown.timeline, Qt::Key_Down);
  EXPECT_EQ(shown.lane(), "job:llm");
  QTest::keyClick(shown.timeline, Qt::Key_Right);
  EXPECT_EQ(shown.timeline->state().cursor_us, 32 * kSecond);
  const int below = shown.y_of("job:llm/phases");
  QTest::keyClick(shown.timeline, Qt::Key_Return);
  EXPECT_FALSE(is_open(shown.timeline->state().lanes, *shown.timeline->state().lane));
  EXPECT_NE(shown.timeline->node_at(below), std::nullopt);
  QTest::keyClick(shown.timeline, Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(shown.timeline->state().cursor_us, 48 * kSecond);
}

TEST(Timeline, PaintsSpansWhereTheyAre) {
  for (const Theme theme : {Theme::kDark, Theme::kLight}) {
    const ShownTimeline shown;
    shown.timeline->set_theme(theme);
    // The cursor and its line are out of the way.
    shown.timeline->go_to(64 * kSecond, std::nullopt);
    const QImage seen = shown.port()->grab().toImage();
    const int phases = shown.y_of("job:llm/phases") + shown.timeline->layout_now().row_px / 2 - 4;
    const auto colour = [&](double second, int y) {
      return seen.pixel(shown.x_of(static_cast<std::int64_t>(second * 1e6)), y);
    };
    for (const double second : {20.0, 31.5, 50.0, 62.0}) {
      EXPECT_EQ(colour(second, phases), look_of(Kind::kProductive, theme).fill) << second;
    }
    for (const double second : {32.5, 40.0, 47.5}) {
      EXPECT_EQ(colour(second, phases), look_of(Kind::kRestoring, theme).fill) << second;
    }
    const QRgb healthy = colour(20.3, shown.y_of("node:gpu-1"));
    EXPECT_TRUE(healthy == inks(theme).lane || healthy == inks(theme).lane_alternate);
  }
}

TEST(Timeline, IsDrawnAtAnySize) {
  ShownTimeline shown;
  shown.timeline->setMinimumSize(1, 1);
  shown.timeline->setParent(nullptr);
  for (const QSize size : {QSize(1, 1), QSize(2, 300), QSize(300, 2), QSize(37, 61)}) {
    shown.timeline->resize(size);
    EXPECT_FALSE(shown.timeline->grab().isNull());
    QTest::mouseClick(shown.port(), Qt::LeftButton, {}, {0, 0});
    shown.wheel(0, 2, Qt::ControlModifier);
    shown.wheel(0, 2, {});
  }
  shown.window.setCentralWidget(shown.timeline);
}

TEST(Timeline, NothingOpenDoesNothing) {
  QMainWindow window;
  ActionSet actions(&window);
  auto* timeline = new Timeline;
  window.setCentralWidget(timeline);
  actions.add_timeline(timeline);
  actions.handle_all(timeline->handlers());
  Player player(*timeline);
  player.handle_actions(actions);
  for (const ActionSpec& spec : actions.table()) {
    if (actions.is_handled(spec.id)) {
      actions.action(spec.id)->trigger();
    }
  }
  EXPECT_FALSE(timeline->grab().isNull());
}

TEST(Timeline, ManyLanesUnfoldAndScroll) {
  constexpr int kNodes = 100'000;
  std::string lines = header_of(kNodes);
  for (int i = 0; i < kNodes; ++i) {
    lines += R"({"t":)" + std::to_string(i) + R"(,"r":"begin","on":"node:gpu-)" +
             std::to_string(i) + R"(","id":)" + std::to_string(i + 1) + R"(,"what":"down"})" + "\n";
  }
  const ShownTimeline shown(lines);
  ViewState state = shown.timeline->state();
  set_all_open(state.lanes, true);
  shown.timeline->change(state);
  EXPECT_GE(shown.timeline->verticalScrollBar()->maximum(), kNodes - 100);
  shown.timeline->verticalScrollBar()->setValue(kNodes / 2);
  shown.port()->grab();
  // Some milliseconds; a bound that only a picture that looks at all lanes would break.
  EXPECT_LT(shown.timeline->drawn_ms(), 500);
  RecordProperty("drawn_us", static_cast<int>(shown.timeline->drawn_ms() * 1000));
  shown.timeline->go_to(7, key_of(shown.session_scene().directory(), "node:gpu-99999"));
  EXPECT_EQ(shown.lane(), "node:gpu-99999");
  EXPECT_GT(shown.y_of("node:gpu-99999"), 0);
}

TEST(Timeline, ListStandsAsThereIsRoomUntilTheUserDoesSomething) {
  constexpr int kNodes = 12;
  std::string lines = header_of(kNodes);
  for (int i = 0; i < kNodes; ++i) {
    lines += R"({"t":)" + std::to_string(i) + R"(,"r":"begin","on":"node:gpu-)" +
             std::to_string(i) + R"(","id":)" + std::to_string(i + 1) + R"(,"what":"down"})" + "\n";
  }
  ShownTimeline shown(lines);
  const auto tall = [&shown](int height) {
    shown.window.resize(900, height);
    QApplication::processEvents();
    return shown.timeline->state().lanes;
  };
  const LaneState much = tall(900);
  const LaneState little = tall(200);
  EXPECT_NE(much, little);
  // The room decides, and not what came before, such as a verdict above the lanes.
  EXPECT_EQ(tall(900), much);
  ViewState state = shown.timeline->state();
  state.lanes = little;
  shown.timeline->change(state);
  EXPECT_EQ(tall(950), little);
  EXPECT_EQ(tall(900), little);
}

TEST(Timeline, TheCursorMovesOverAPictureThatStays) {
  const ShownTimeline shown;
  const TimeRange run = shown.timeline->run();
  const std::int64_t middle_us = run.begin_us + (run.end_us - run.begin_us) / 2;
  const double before = shown.timeline->x_at(middle_us);
  for (const std::int64_t t_us : {run.begin_us, middle_us / 3, middle_us, run.end_us}) {
    shown.timeline->go_to(t_us, std::nullopt);
    EXPECT_EQ(shown.timeline->x_at(middle_us), before) << t_us;
  }
}

TEST(Timeline, PlaysAndHolds) {
  const ShownTimeline shown;
  Player player(*shown.timeline);
  player.handle_actions(*shown.actions);
  QTest::keyClick(shown.timeline, Qt::Key_Space);
  EXPECT_TRUE(player.clock().playing);
  EXPECT_TRUE(QTest::qWaitFor([&] { return shown.timeline->state().cursor_us > 100'000; }));
  QTest::keyClick(shown.timeline, Qt::Key_K);
  const std::int64_t held = shown.timeline->state().cursor_us;
  QTest::qWait(50);
  EXPECT_EQ(shown.timeline->state().cursor_us, held);
}

}  // namespace
}  // namespace aftershock::gui
