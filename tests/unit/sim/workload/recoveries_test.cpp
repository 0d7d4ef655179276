#include "sim/workload/recoveries.h"

#include <gtest/gtest.h>

namespace aftershock::sim::workload {
namespace {

using reports::Bucket;
using reports::Cause;

Job job_with_ledger() {
  Job job;
  job.ledger.emplace(0, Bucket::kProductive, Cause::policy(), 4);
  return job;
}

// Fault 7 breaks three attempts, at 100, 130 and 200, and fault 9 one in between; each pays until
// the next begins. Before the first one it had slowed the job down for 20.
TEST(Stories, EachHasTheCostOfItsOwn) {
  Job job = job_with_ledger();
  job.ledger->enter(80, Bucket::kStraggling, Cause::fault(7));
  const auto breaks = [&](std::uint32_t fault, std::int64_t at_us) {
    open_recovery(job, fault, at_us);
    job.ledger->enter(at_us, Bucket::kUndetected, Cause::fault(fault));
  };
  breaks(7, 100);
  breaks(7, 130);
  breaks(9, 150);
  breaks(7, 200);
  job.ledger->close(205);
  EXPECT_EQ(story_costs_us(job), (std::vector<std::int64_t>{50, 20, 50, 5}));
}

TEST(Stories, WhatIsLostIsPutToTheNewestOfItsFault) {
  Job job = job_with_ledger();
  open_recovery(job, 7, 10);
  open_recovery(job, 7, 20);
  open_recovery(job, 9, 30);
  job.lost_cause = Cause::fault(7);
  add_lost(job, 5);
  job.lost_cause = Cause::resize();
  add_lost(job, 3);
  EXPECT_EQ(job.account.lost_us, 8);
  EXPECT_EQ(job.account.recoveries[0].lost_us, 0);
  EXPECT_EQ(job.account.recoveries[1].lost_us, 5);
  EXPECT_EQ(job.account.recoveries[2].lost_us, 0);
  EXPECT_EQ(find_recovery(job, 8), nullptr);
}

// Marks at 50 and 80; the segment began at 1,000 with 40 done, at half speed.
TEST(Stories, AreCaughtUpWithInTheirOrder) {
  Job job = job_with_ledger();
  job.training.high_water_us = 50;
  open_recovery(job, 1, 60);
  job.training.high_water_us = 80;
  open_recovery(job, 2, 90);
  job.training.work_us = 40;
  job.training.segment_begin_us = 1000;
  note_caught_up(job, 90, {1, 2});
  EXPECT_EQ(job.account.recoveries[0].caught_up_us, std::nullopt) << "it does not run again";
  note_running(job, 1000);
  note_caught_up(job, 60, {1, 2});
  EXPECT_EQ(job.account.recoveries[0].caught_up_us, 1020);
  EXPECT_EQ(job.account.recoveries[1].caught_up_us, std::nullopt);
  note_caught_up(job, 90, {1, 2});
  EXPECT_EQ(job.account.recoveries[0].caught_up_us, 1020);
  EXPECT_EQ(job.account.recoveries[1].caught_up_us, 1080);
}

}  // namespace
}  // namespace aftershock::sim::workload
