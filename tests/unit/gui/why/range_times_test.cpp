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

/// An account of the job with so much rolled back.
Account with_rolled_back(std::uint32_t entity, std::int64_t us) {
  Account account;
  account.entity = entity;
  account.us = {{"rolled_back", us}};
  return account;
}

TEST(RangeTimes, CutsPhasesAndCountsWhatWasLost) {
  const Trace trace = sample_phases();
  const Account job = with_rolled_back(0, 40);
  EXPECT_EQ(
      range_times(trace, job, 0, 1000),
      (BucketTimes{{"productive", 210}, {"rolled_back", 40}, {"undetected", 50}, {"paused", 40}}));
  EXPECT_EQ(range_times(trace, job, 90, 160),
            (BucketTimes{{"productive", 10}, {"rolled_back", 10}, {"undetected", 50}}));
  EXPECT_EQ(range_times(trace, job, 30, 70),
            (BucketTimes{{"productive", 30}, {"rolled_back", 10}}));
  EXPECT_EQ(range_times(trace, job, 5, 5), BucketTimes());
  EXPECT_EQ(range_times(trace, with_rolled_back(7, 0), 0, 1000), BucketTimes());
}

TEST(RangeTimes, TakeWorkThatWasNeverSavedFromTheEnd) {
  const Trace trace = sample_phases();
  const struct {
    std::int64_t rolled_back_us;
    std::int64_t unsaved_from_us;
  } table[] = {
      {0, kOpen},   {40, kOpen},  // no more than records tell
      {41, 299},    {190, 150},   // of the last work
      {191, 59},    {250, 0},     // beyond it, over what was lost before
      {251, kOpen},               // more than there was
  };
  for (const auto& each : table) {
    EXPECT_EQ(unsaved_from_us(trace, with_rolled_back(0, each.rolled_back_us)),
              each.unsaved_from_us)
        << each.rolled_back_us;
  }
  Account job = with_rolled_back(0, 191);
  job.unsaved_from_us = 59;
  EXPECT_EQ(range_times(trace, job, 0, 200),
            (BucketTimes{{"productive", 59}, {"rolled_back", 91}, {"undetected", 50}}));
  EXPECT_EQ(range_times(trace, job, 0, 50), (BucketTimes{{"productive", 50}}));
}

TEST(RangeTimes, OfAWholeRunAreTheLedger) {
  // Of jobs that complete, that fail, and that are at work when the run ends.
  for (const char* scenario :
       {"scenarios/quickstart.json", "scenarios/incidents/three_preemptions.json",
        "scenarios/modelarts/pod_without_spare.json", "scenarios/reference_54_days.json"}) {
    Trace trace;
    record_scenario(trace, scenario, ::testing::TempDir() + "why-range.aftershock");
    const std::vector<Account> accounts = accounts_of(trace);
    ASSERT_FALSE(accounts.empty());
    for (const Account& account : accounts) {
      EXPECT_EQ(range_times(trace, account, 0, kOpen), account.us)
          << scenario << ", " << trace.entities[account.entity];
    }
  }
}

}  // namespace
}  // namespace aftershock::gui
