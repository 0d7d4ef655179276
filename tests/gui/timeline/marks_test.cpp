#include <QHelpEvent>
#include <QMenu>
#include <QTest>
#include <QToolTip>

#include <gtest/gtest.h>

#include "gui/timeline/timeline.h"
#include "tests/gui/timeline/sample_run.h"
#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

/// A run of 10,000 s with faults at these times.
std::string with_faults(const std::vector<std::int64_t>& seconds) {
  std::string lines = testing::header_of(4) +
                      R"({"t":0,"r":"begin","on":"job:llm","id":1,"what":"training"})"
                      "\n";
  int number = 0;
  for (const std::int64_t each : seconds) {
    lines += R"({"t":)" + std::to_string(each * kSecond) +
             R"(,"r":"fault","on":"node:gpu-1","number":)" + std::to_string(number) +
             R"(,"id":"f)" + std::to_string(number) +
             R"(","target":"node:gpu-1","kind":"node_crash","outcome":"fired"})"
             "\n";
    ++number;
  }
  return lines + R"({"t":10000000000,"r":"end","id":1})"
                 "\n"
                 R"({"t":10000000000,"r":"ledger","on":"job:llm","wall_us":10000000000,"us":{},)"
                 R"("faults":[{"fault":"f0","us":{"restoring":5000000}}]})"
                 "\n";
}

struct ShownFaults {
  testing::SampleFile file;
  RunSession session{file.path, false};
  Timeline timeline;

  explicit ShownFaults(const std::vector<std::int64_t>& seconds) : file(with_faults(seconds)) {
    timeline.resize(900, 500);
    timeline.set_session(&session);
    testing::read_all(session);
    timeline.show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&timeline));
    EXPECT_TRUE(QTest::qWaitFor([&] { return !session.is_making_curves(); }));
  }
  ~ShownFaults() { timeline.set_session(nullptr); }

  /// The marks as they are drawn now.
  const std::vector<FaultMark>& marks() {
    timeline.viewport()->repaint();
    return timeline.fault_marks();
  }
  void click(const FaultMark& mark) {
    QTest::mouseClick(timeline.viewport(), Qt::LeftButton, {}, mark.box.center());
  }
  std::string told(const FaultMark& mark) {
    const QPoint at = mark.box.center();
    QHelpEvent help(QEvent::ToolTip, at, timeline.viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(timeline.viewport(), &help);
    return QToolTip::text().toStdString();
  }
};

TEST(FaultMarks, OfOneFaultSelectIt) {
  ShownFaults shown({1'000, 9'000});
  ASSERT_EQ(shown.marks().size(), 2U);
  shown.click(shown.marks()[1]);
  EXPECT_EQ(shown.timeline.state().cursor_us, 9'000 * kSecond);
  ASSERT_TRUE(shown.timeline.state().selection);
  EXPECT_EQ(shown.timeline.state().selection->time.begin_us, 9'000 * kSecond);
  const std::string told = shown.told(shown.marks()[0]);
  for (const char* words : {"node crash, f0", "at 00:16:40", "target node:gpu-1", "cost 5 s"}) {
    EXPECT_NE(told.find(words), std::string::npos) << words << "\n" << told;
  }
}

TEST(FaultMarks, OfManyFaultsZoomUntilTheyAreToldApart) {
  ShownFaults shown({5'000, 5'010, 5'020, 9'000});
  ASSERT_EQ(shown.marks().size(), 2U);
  EXPECT_EQ(shown.marks()[0].count, 3U);
  const std::string told = shown.told(shown.marks()[0]);
  EXPECT_NE(told.find("3 faults from 01:23:20 to 01:23:40"), std::string::npos) << told;
  EXPECT_NE(told.find("3 node crash"), std::string::npos) << told;
  EXPECT_NE(told.find("cost 5 s together"), std::string::npos) << told;
  shown.click(shown.marks()[0]);
  ASSERT_EQ(shown.marks().size(), 3U);
  for (const FaultMark& mark : shown.marks()) {
    EXPECT_EQ(mark.count, 1U);
  }
}

TEST(FaultMarks, OfOneMomentListThem) {
  ShownFaults shown({5'000, 5'000});
  ASSERT_EQ(shown.marks().size(), 1U);
  shown.click(shown.marks()[0]);
  auto* menu = shown.timeline.findChild<QMenu*>();
  ASSERT_NE(menu, nullptr);
  ASSERT_EQ(menu->actions().size(), 2);
  EXPECT_EQ(menu->actions()[1]->text(), QStringLiteral("node crash, f1"));
  menu->actions()[1]->trigger();
  EXPECT_TRUE(shown.timeline.announced().contains(QStringLiteral("fault 2 of 2")))
      << shown.timeline.announced().toStdString();
}

}  // namespace
}  // namespace aftershock::gui
