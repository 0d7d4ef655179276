#include "gui/app/side_panels.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QProcess>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolBar>
#include <QUrl>

#include <gtest/gtest.h>

#include "gui/app/main_window.h"
#include "gui/app/settings.h"
#include "gui/panels/event_table.h"
#include "gui/panels/fault_model.h"
#include "gui/panels/fault_table.h"
#include "gui/panels/inspector.h"
#include "tests/gui/app/simulator.h"

namespace aftershock::gui {
namespace {

using testing::kSimulator;

/// A window with all of it, and a run that dies for want of a node.
struct WithPanels {
  QTemporaryDir dir;
  Settings settings;
  MainWindow window{settings, kSimulator};
  Workspace workspace{window};
  SidePanels panels{window, workspace};

  WithPanels() {
    const QString path = dir.filePath(QStringLiteral("a.aftershock"));
    EXPECT_EQ(QProcess::execute(kSimulator,
                                {QStringLiteral("run"),
                                 QStringLiteral("scenarios/modelarts/pod_without_spare.json"),
                                 QStringLiteral("--quiet"), QStringLiteral("--record"), path}),
              0);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    QSignalSpy finished(&workspace, &Workspace::session_finished);
    window.open_file(path, 0);
    EXPECT_TRUE(!finished.isEmpty() || finished.wait(60000));
  }
  Inspector& inspector() { return *window.findChild<Inspector*>(); }
  std::string inspected() { return inspector().text().toStdString(); }
  void act(ActionId id) { window.actions().action(id)->trigger(); }
};

TEST(SidePanels, AreAsWideInLettersAtEverySizeOfText) {
  WithPanels opened;
  opened.window.resize(3200, 1400);
  QTest::qWait(1);
  const int before = opened.inspector().width();
  for (int i = 0; i < 10; ++i) {
    opened.act(ActionId::kScaleUp);
  }
  QTest::qWait(1);
  const double larger = opened.settings.scale_percent() / 100.0;
  EXPECT_GE(larger, 1.5);
  EXPECT_NEAR(opened.inspector().width(), before * larger, before * 0.15);
  opened.act(ActionId::kScaleReset);
  QTest::qWait(1);
  EXPECT_NEAR(opened.inspector().width(), before, before * 0.15);
}

TEST(SidePanels, FirstTellWhatTheJobDiedOf) {
  WithPanels opened;
  EXPECT_NE(opened.inspected().find("no_resource_timeout"), std::string::npos);
}

TEST(SidePanels, OfTwoJobsTellOfTheOneThatFailed) {
  const QTemporaryDir dir;
  const QString path = dir.filePath(QStringLiteral("two.aftershock"));
  ASSERT_GE(
      QProcess::execute(
          kSimulator,
          {QStringLiteral("run"), QStringLiteral("scenarios/incidents/three_preemptions.json"),
           QStringLiteral("--set"), QStringLiteral("/jobs/0/policy/config/max_failures=9"),
           QStringLiteral("--set"), QStringLiteral("/jobs/1/policy/config/max_failures=1"),
           QStringLiteral("--quiet"), QStringLiteral("--record"), path}),
      0);
  WithPanels opened;
  QSignalSpy finished(&opened.workspace, &Workspace::session_finished);
  opened.window.open_file(path, 0);
  ASSERT_TRUE(!finished.isEmpty() || finished.wait(60000));
  EXPECT_NE(opened.inspected().find("job:limit-3"), std::string::npos) << opened.inspected();
  EXPECT_NE(opened.inspected().find("failed"), std::string::npos);
}

TEST(SidePanels, KeysWorkAfterALinkOfTheInspector) {
  WithPanels opened;
  opened.act(ActionId::kNextFault);
  auto* page = opened.inspector().findChild<QTextBrowser*>();
  page->setFocus();
  Q_EMIT page->anchorClicked(QUrl(QStringLiteral("fault:0")));
  EXPECT_TRUE(opened.workspace.timeline().hasFocus());
}

TEST(SidePanels, ASearchGoesFromHitToHitAndBackToTheTimeline) {
  WithPanels opened;
  opened.workspace.timeline().setFocus();
  QTest::keyClick(&opened.workspace.timeline(), Qt::Key_Slash);
  QLineEdit& field = opened.window.findChild<EventTable*>()->field();
  ASSERT_TRUE(field.hasFocus());
  QTest::keyClicks(&field, QStringLiteral("node_crash"));
  QTest::keyClick(&field, Qt::Key_Return);
  EXPECT_NE(opened.inspected().find("node_crash"), std::string::npos) << opened.inspected();
  EXPECT_TRUE(field.hasFocus());
  QTest::keyClick(&field, Qt::Key_Escape);
  EXPECT_TRUE(opened.workspace.timeline().hasFocus());
  EXPECT_EQ(field.text(), QStringLiteral("node_crash"));
}

TEST(SidePanels, TheSearchBoxOfTheToolbarFindsToo) {
  WithPanels opened;
  auto* box = opened.window.tools().findChild<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly);
  ASSERT_NE(box, nullptr);
  box->setFocus();
  QTest::keyClicks(box, QStringLiteral("node_crash"));
  auto& events = *opened.window.findChild<EventTable*>();
  EXPECT_TRUE(events.isVisible());
  EXPECT_EQ(events.field().text(), QStringLiteral("node_crash"));
  QTest::keyClick(box, Qt::Key_Return);
  EXPECT_NE(opened.inspected().find("node_crash"), std::string::npos) << opened.inspected();
  events.set_filter(QStringLiteral("pod"));
  EXPECT_EQ(box->text(), QStringLiteral("pod"));
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Escape);
  EXPECT_TRUE(opened.workspace.timeline().hasFocus());
}

TEST(SidePanels, TellOfWhatIsJumpedTo) {
  WithPanels opened;
  opened.act(ActionId::kNextFault);
  EXPECT_NE(opened.inspected().find("node_crash"), std::string::npos) << opened.inspected();
  // From the fault over its first effects to the decision that answers it, and back.
  bool decided = false;
  for (int i = 0; i < 4 && !decided; ++i) {
    opened.act(ActionId::kToEffect);
    decided = opened.inspected().find("modelarts.pod.start") != std::string::npos;
  }
  EXPECT_TRUE(decided) << opened.inspected();
  opened.act(ActionId::kToCause);
  EXPECT_NE(opened.inspected().find("node_crash"), std::string::npos);
}

TEST(SidePanels, TheEventTableLeadsToTheTimeline) {
  WithPanels opened;
  opened.act(ActionId::kSearch);
  auto& events = *opened.window.findChild<EventTable*>();
  EXPECT_TRUE(events.isVisible());
  EXPECT_TRUE(events.field().hasFocus());
  events.set_filter(QStringLiteral("node_crash"));
  events.table().setCurrentIndex(events.table().model()->index(0, 0));
  events.table().setFocus();
  QTest::keyClick(&events.table(), Qt::Key_Return);
  EXPECT_EQ(opened.workspace.timeline().state().cursor_us, 1'500'000'000);
}

TEST(SidePanels, TellOfTheLaneThatTheKeyboardGoesTo) {
  WithPanels opened;
  Timeline& timeline = opened.workspace.timeline();
  timeline.go_to(0, key_of(opened.workspace.session()->scene()->directory(), "pool:npu"));
  const std::string pool = opened.inspected();
  EXPECT_EQ(pool.find("pool:"), 0U) << pool;
  EXPECT_NE(pool.find("In the whole run"), std::string::npos) << pool;
  opened.act(ActionId::kNextFault);
  EXPECT_NE(opened.inspected().find("node_crash"), std::string::npos);
  const auto struck = timeline.state().lane;
  opened.act(ActionId::kLaneUp);
  EXPECT_EQ(opened.inspected().find("node_crash"), std::string::npos) << opened.inspected();
  // Back in the lane of what is selected it is told of again.
  opened.act(ActionId::kLaneDown);
  ASSERT_EQ(timeline.state().lane, struck);
  EXPECT_NE(opened.inspected().find("node_crash"), std::string::npos) << opened.inspected();
  // A link leads to the lane.
  Q_EMIT opened.inspector().lane_asked(QStringLiteral("pool:npu"));
  EXPECT_EQ(opened.inspected(), pool);
  Q_EMIT opened.inspector().lane_asked(QStringLiteral("nonsense"));
  EXPECT_EQ(opened.inspected(), pool);
}

TEST(SidePanels, TheTimesOfALaneAreThoseInView) {
  WithPanels opened;
  Timeline& timeline = opened.workspace.timeline();
  timeline.go_to(0, key_of(opened.workspace.session()->scene()->directory(), "pool:npu"));
  ViewState next = timeline.state();
  next.shown = {60'000'000, 120'000'000};
  timeline.change(next);
  EXPECT_TRUE(QTest::qWaitFor([&] {
    return opened.inspected().find("00:01:00 to 00:02:00") != std::string::npos;
  })) << opened.inspected();
}

TEST(SidePanels, AnswerForASelectedRange) {
  WithPanels opened;
  Timeline& timeline = opened.workspace.timeline();
  const auto tells = [&](const char* words) {
    return QTest::qWaitFor([&] { return opened.inspected().find(words) != std::string::npos; });
  };
  ViewState next = timeline.state();
  next.lane = key_of(opened.workspace.session()->scene()->directory(), "pool:npu");
  next.selection = Selection{.lane = std::nullopt, .time = {1'200'000'000, 1'800'000'000}};
  timeline.change(next);
  for (const char* words : {"Range of time", "from 00:20:00 to 00:30:00", "Useful work",
                            "productive", "Faults: 1", "node_crash", "Decisions: "}) {
    EXPECT_TRUE(tells(words)) << words << "\n" << opened.inspected();
  }
  EXPECT_EQ(timeline.range_length(), QStringLiteral("00:10:00"));
  // Without the range its lane is told of.
  opened.act(ActionId::kClearSelection);
  EXPECT_TRUE(tells("In the whole run")) << opened.inspected();
  EXPECT_TRUE(timeline.range_length().isEmpty());
}

TEST(SidePanels, TheDearestFaultIsOnTopOfItsTable) {
  WithPanels opened;
  opened.act(ActionId::kFaultTable);
  auto& faults = *opened.window.findChild<FaultTable*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return faults.isVisible(); }));
  QSortFilterProxyModel& model = faults.shown();
  const QAbstractItemModelTester tester(&model);
  ASSERT_EQ(model.rowCount(), static_cast<int>(opened.workspace.session()->trace().faults.size()));
  EXPECT_EQ(model.index(0, FaultModel::kKind).data().toString(), QStringLiteral("node crash"));
  EXPECT_TRUE(faults.count().startsWith(QStringLiteral("1 fault, cost ")))
      << faults.count().toStdString();
  EXPECT_EQ(faults.kinds().count(), 2);
  faults.table().setCurrentIndex(model.index(0, 0));
  EXPECT_NE(opened.inspected().find("node_crash"), std::string::npos) << opened.inspected();
  faults.table().setFocus();
  QTest::keyClick(&faults.table(), Qt::Key_Return);
  EXPECT_EQ(opened.workspace.timeline().state().cursor_us, 1'500'000'000);
}

TEST(SidePanels, ForgetARunThatIsClosed) {
  WithPanels opened;
  opened.act(ActionId::kNextFault);
  opened.window.close_run(0);
  EXPECT_EQ(opened.inspected().find("node_crash"), std::string::npos);
  opened.act(ActionId::kToEffect);
  opened.act(ActionId::kToCause);
}

}  // namespace
}  // namespace aftershock::gui
