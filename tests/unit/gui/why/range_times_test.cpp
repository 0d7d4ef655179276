#include "gui/why/range_times.h"

#include <gtest/gtest.h>

#include "tests/unit/gui/why/sample_run.h"

namespace aftershock::gui {
namespace {

Trace sample_phases() {
  Trace trace;
  const std::uint32_t job = trace.entities.add("job:llm");
  trace.lane_of.emplace_back().fill(kNone);
  trace.lane_of[job][static_cast<std::size_t>(SubLane::kPhases)] = 0;
  trace.lanes.push_back({job, SubLane::kPhases, LaneColumns(false)});
  LaneColumns& phases = trace.lanes[0].columns;
  phases.add({0, 100, Kind::kProductive, 0, 0});
  phases.add({100, 150, Kind::kUndetected, 0, 0});
  phases.add({150, 300, Kind::kProductive, 0, 0});
  phases.add({300, kOpen, Kind::kPaused, 0, 0});
  phases.seal();
  trace.last_us = 340;
  // Two that overlap: [60, 100) in all.
  for (const std::int64_t from_us : {80, 60}) {
    trace.lost.add(job, {from_us, 100});
  }
  return trace;
}

TEST(RangeTimes, CutsPhasesAndCountsWhatWasLost) {
  const Trace trace = sample_phases();
  EXPECT_EQ(
      range_times(trace, 0, 0, 1000),
      (BucketTimes{{"productive", 210}, {"rolled_back", 40}, {"undetected", 50}, {"paused", 40}}));
  EXPECT_EQ(range_times(trace, 0, 90, 160),
            (BucketTimes{{"productive", 10}, {"rolled_back", 10}, {"undetected", 50}}));
  EXPECT_EQ(range_times(trace, 0, 30, 70), (BucketTimes{{"productive", 30}, {"rolled_back", 10}}));
  EXPECT_EQ(range_times(trace, 0, 5, 5), BucketTimes());
  EXPECT_EQ(range_times(trace, 7, 0, 1000), BucketTimes());
}

TEST(RangeTimes, OfAWholeRunThatCompletedAreTheLedger) {
  Trace trace;
  record_scenario(trace, "scenarios/quickstart.json",
                  ::testing::TempDir() + "why-range.aftershock");
  const std::vector<Account> accounts = accounts_of(trace);
  ASSERT_EQ(accounts.size(), 1U);
  EXPECT_EQ(range_times(trace, accounts[0].entity, 0, kOpen), accounts[0].us);
}

}  // namespace
}  // namespace aftershock::gui
