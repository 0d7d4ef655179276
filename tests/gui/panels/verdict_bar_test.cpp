#include "gui/panels/verdict_bar.h"

#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

Trace one_fault() {
  Trace trace;
  trace.faults.push_back({.t_us = 7,
                          .id = trace.texts.add("f"),
                          .kind = trace.texts.add("preemption"),
                          .fired = true});
  trace.entities.add("job:a");
  trace.entities.add("job:b<i>");
  return trace;
}

std::vector<RunVerdicts> two_jobs(const Trace& trace) {
  Verdict good;
  good.entity = 0;
  good.name = "a";
  good.outcome = "completed";
  Verdict bad;
  bad.entity = 1;
  bad.name = "b<i>";
  bad.outcome = "failed";
  bad.reason = "ran out";
  bad.end_us = 30'000'000;
  bad.useful_share = 0.3;
  bad.steps_done = 2'610;
  bad.steps = 3'600;
  bad.budgets = {{"max_failures", 3, 2}};
  bad.worst = 0;
  bad.worst_us = 5'000'000;
  return {{0, {}, &trace, {bad, good}, 12.5}};
}

TEST(VerdictBar, SaysOfTheFailedOneFirst) {
  const Trace trace = one_fault();
  VerdictBar bar;
  EXPECT_TRUE(bar.isHidden());
  bar.set_runs(two_jobs(trace));
  EXPECT_EQ(bar.chips(),
            (QStringList{QStringLiteral("✗ b<i>  failed"), QStringLiteral("✓ a  completed")}));
  const std::string text = bar.text().toStdString();
  for (const char* part : {"b<i>", "ran out", "30 s", "useful work 30.0 %", "2,610 of 3,600",
                           "max_failures: 3 of 2", "12.50", "preemption", "5 s"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  bar.set_runs({});
  EXPECT_TRUE(bar.text().isEmpty());
}

TEST(VerdictBar, ChipsThatAreScrolledAreSeenWhole) {
  const Trace trace = one_fault();
  std::vector<RunVerdicts> runs = two_jobs(trace);
  runs[0].verdicts.resize(12, runs[0].verdicts[1]);
  VerdictBar bar;
  bar.set_runs(runs);
  bar.show();
  for (const int width : {2400, 500}) {
    bar.resize(width, 200);
    QTest::qWait(1);
    const auto* area = bar.findChild<QScrollArea*>();
    const auto* chip = bar.findChild<QToolButton*>();
    EXPECT_GE(area->viewport()->height(), chip->height()) << width;
  }
}

TEST(VerdictBar, AClickGoesToTheJobItsEndAndItsWorstMoment) {
  const Trace trace = one_fault();
  VerdictBar bar;
  bar.set_runs(two_jobs(trace));
  QSignalSpy chosen(&bar, &VerdictBar::chosen);
  std::vector<std::int64_t> times;
  QObject::connect(&bar, &VerdictBar::go_to, &bar,
                   [&](int, const Place& place) { times.push_back(place.t_us); });
  bar.follow(QStringLiteral("time:30000000"));
  bar.follow(QStringLiteral("fault:0"));
  EXPECT_EQ(times, (std::vector<std::int64_t>{30'000'000, 7}));
  bar.choose(1);
  ASSERT_EQ(chosen.size(), 1);
  EXPECT_EQ(chosen[0][1].toUInt(), 0U);
  EXPECT_NE(bar.text().indexOf(QStringLiteral("completed")), -1);
  bar.set_runs(two_jobs(trace));
  EXPECT_NE(bar.text().indexOf(QStringLiteral("completed")), -1) << "it stays chosen";
}

}  // namespace
}  // namespace aftershock::gui
