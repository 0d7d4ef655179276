#include "sim/workload/checkpoint.h"

#include <gtest/gtest.h>

namespace aftershock::sim::workload {
namespace {

scenario::JobSpec job(std::int64_t step_us) {
  scenario::JobSpec spec;
  spec.step_us = step_us;
  spec.checkpoint.emplace();
  return spec;
}

struct CheckpointRow {
  std::int64_t step_us;
  std::int64_t every;
  std::int64_t anchor_us;
  std::int64_t wanted_us;
};

// Decision 8: compute time since the last checkpoint began or the attempt started training; it
// begins at the first end of a step at or after that.
TEST(NextCheckpoint, EveryTime) {
  const CheckpointRow rows[] = {
      {10, 100, 0, 100},    // a multiple of the step
      {10, 105, 0, 110},    // not one: the end of the step under way
      {10, 1, 0, 10},       // shorter than a step: every step
      {10, 100, 100, 200},  // from the last one
      {10, 105, 110, 220},  // 215
      {10, 10, 0, 10},
      {7, 30, 0, 35},
      {7, 30, 35, 70},  // 65
      {12'000'000, 1'800'000'000, 0, 1'800'000'000},
  };
  for (const CheckpointRow& row : rows) {
    scenario::JobSpec spec = job(row.step_us);
    spec.checkpoint->every_us = row.every;
    EXPECT_EQ(next_checkpoint_work_us(spec, Pace{}, row.anchor_us), row.wanted_us)
        << row.every << " from " << row.anchor_us;
  }
}

// With fewer workers a step takes longer, and the interval is one of time still: with 2 of 4 a step
// of 10 takes 20, with 3 of 7 one of 9 takes 21. An interval in steps is as long as those take.
TEST(NextCheckpoint, EveryTimeWithFewerWorkers) {
  struct PaceRow {
    Pace pace;
    CheckpointRow row;
  };
  const PaceRow rows[] = {
      {{2, 4}, {10, 120, 0, 60}},    // six steps of 20
      {{2, 4}, {10, 121, 0, 70}},    // the seventh ends at 140
      {{2, 4}, {10, 120, 60, 120}},  // from the last one
      {{2, 4}, {10, 15, 30, 40}},    // shorter than a step: every step
      {{3, 7}, {9, 63, 0, 27}},      // three steps of 21
      {{3, 7}, {9, 64, 0, 36}},      // the fourth ends at 84
      {{1, 3}, {10, 100, 0, 40}},    // steps of 30: the fourth ends at 120
      {{8, 4}, {10, 100, 0, 200}},   // twice as many workers: twenty steps of 5
      {{1, 2}, {1, 3'000'000'000'000'000, 0, 1'500'000'000'000'000}},
  };
  for (const auto& [pace, row] : rows) {
    scenario::JobSpec spec = job(row.step_us);
    spec.checkpoint->every_us = row.every;
    EXPECT_EQ(next_checkpoint_work_us(spec, pace, row.anchor_us), row.wanted_us)
        << row.every << " with " << pace.workers << " of " << pace.of;
  }
  scenario::JobSpec spec = job(10);
  spec.checkpoint->every_steps = 3;
  EXPECT_EQ(next_checkpoint_work_us(spec, {2, 4}, 30), 60);
}

TEST(NextCheckpoint, EverySteps) {
  const CheckpointRow rows[] = {
      {10, 3, 0, 30},
      {10, 3, 30, 60},
      {10, 1, 70, 80},
      {7, 5, 14, 49},
  };
  for (const CheckpointRow& row : rows) {
    scenario::JobSpec spec = job(row.step_us);
    spec.checkpoint->every_steps = row.every;
    EXPECT_EQ(next_checkpoint_work_us(spec, Pace{}, row.anchor_us), row.wanted_us)
        << row.every << " steps from " << row.anchor_us;
  }
}

TEST(NextCheckpoint, NoneIsTakenWithoutCheckpointOrByAScriptThatDoesNotSave) {
  scenario::JobSpec spec = job(10);
  spec.checkpoint->every_us = 100;
  EXPECT_TRUE(next_checkpoint_work_us(spec, Pace{}, 0).has_value());
  spec.script.saves = false;
  EXPECT_FALSE(next_checkpoint_work_us(spec, Pace{}, 0).has_value());
  spec.script.saves = true;
  spec.checkpoint.reset();
  EXPECT_FALSE(next_checkpoint_work_us(spec, Pace{}, 0).has_value());
}

TEST(TotalWork, IsStepsTimesStep) {
  scenario::JobSpec spec;
  spec.step_us = 12'000'000;
  EXPECT_FALSE(last_work_us(spec, 7).has_value());
  spec.steps = 20'000;
  EXPECT_EQ(last_work_us(spec, 7), 240'000'000'000);
  spec.script.steps_per_attempt = true;
  EXPECT_EQ(last_work_us(spec, 7), 240'000'000'007) << "on top of what it began with";
}

// as_directory() downloads once a node for calls that overlap, and hands out a local path as it is.
TEST(DownloadBytes, DependOnWhoFetchesWhat) {
  struct Fetch {
    scenario::Download download;
    bool overlapping;
    scenario::StorageKind kind;
    std::int64_t wanted;
  };
  const Fetch rows[] = {
      {scenario::Download::kShards, true, scenario::StorageKind::kObject, 10},
      {scenario::Download::kAsDirectory, true, scenario::StorageKind::kObject, 20},
      {scenario::Download::kAsDirectory, false, scenario::StorageKind::kObject, 160},
      {scenario::Download::kAsDirectory, true, scenario::StorageKind::kNfs, 0},
      {scenario::Download::kToDirectory, true, scenario::StorageKind::kNfs, 20},
      {scenario::Download::kToDirectory, false, scenario::StorageKind::kLocal, 160},
  };
  for (const Fetch& row : rows) {
    scenario::CheckpointSpec checkpoint;
    checkpoint.bytes = 10;
    checkpoint.download = row.download;
    checkpoint.overlapping = row.overlapping;
    EXPECT_EQ(download_bytes(checkpoint, row.kind, 2, 16), row.wanted);
  }
}

}  // namespace
}  // namespace aftershock::sim::workload
