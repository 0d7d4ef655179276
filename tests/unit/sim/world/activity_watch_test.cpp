// Hangs, as a platform takes them for that which looks at activity. ModelArts looks at 0, 60, 120 s
// and so on here, and is sure after 10 min; work of 1,000 s begins at 0, and processes stop and
// start again in no time.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

/// `job`: more members of the job, each with a comma behind it.
Outcomes run_of(const std::string& job, const std::string& faults = "", bool hang_retry = true) {
  return simulated(fmt::format(
      R"({{"job": {{{} "env": {{"MA_HANG_DETECT_TIME": "10"}},
          "policy": {{"name": "modelarts", "config": {{"max_failures": null, "correlation_s": 0,
            "fault-tolerance/job-retry-num": "8", "fault-tolerance/hang-retry": "{}",
            "fault-tolerance/job-unconditional-retry": "true"}}}}}}, "faults": [{}]}})",
      job, hang_retry, faults));
}

struct StillnessRow {
  const char* name;
  const char* job;
  int false_alarms;
  int attempts;
  Buckets ledger;
};

void expect_row(const StillnessRow& row) {
  const Outcomes run = run_of(row.job);
  EXPECT_EQ(run.job()["false_alarms"], row.false_alarms) << row.name;
  EXPECT_EQ(run.job()["attempts"], row.attempts) << row.name;
  EXPECT_EQ(run.ledger(), row.ledger) << row.name;
}

TEST(WorldStillness, APhaseWithoutStepsThatIsTooLong) {
  const StillnessRow rows[] = {
      {"a compile that ends with the look that would be sure",
       R"("phases": {"warming_up": "10min"},)",
       0,
       1,
       {{"warming_up", 600_s}, {"productive", 1000_s}}},
      {"one that is a microsecond longer, and begins anew each time",
       R"("phases": {"warming_up": "600000001us"},)",
       4,
       4,
       {{"warming_up", 4 * 600_s}}},
      {"which only the first start has",
       R"("phases": {"warming_up": "11min"}, "restart_phases": {"warming_up": "1min"},)",
       1,
       2,
       {{"warming_up", 660_s}, {"productive", 1000_s}}},
      // From 500 s on; the look of 540 s shows it first, that of 1,140 s would be sure.
      {"a save that begins between two looks",
       R"("checkpoint": {"every": "500s", "blocking": "640s", "at_end": false}, "steps": 60,)",
       0,
       1,
       {{"checkpoint_blocking", 640_s}, {"productive", 600_s}}},
      {"one that is a microsecond longer, and never becomes a checkpoint",
       R"("checkpoint": {"every": "500s", "blocking": "640000001us", "at_end": false},)",
       4,
       4,
       {{"checkpoint_blocking", 4 * 640_s}, {"rolled_back", 4 * 500_s}}},
      {"two saves, each shorter than that",
       R"("checkpoint": {"every": "400s", "blocking": "500s"}, "steps": 80,)",
       0,
       1,
       {{"checkpoint_blocking", 1000_s}, {"productive", 800_s}}},
      // From 1,000 s on: 1,020 s, 1,620 s.
      {"the end of the job",
       R"("phases": {"finalizing": "620s"},)",
       0,
       1,
       {{"productive", 1000_s}, {"finalizing", 620_s}}},
      {"and one that is a microsecond longer",
       R"("phases": {"finalizing": "620000001us"},)",
       4,
       4,
       {{"rolled_back", 4 * 1000_s}, {"finalizing", 4 * 620_s}}},
      {"what keeps accelerators busy",
       R"("phases": {"warming_up": "11min"}, "script": {"active": ["checkpointing", "warming_up"]},)",
       0,
       1,
       {{"warming_up", 660_s}, {"productive", 1000_s}}},
      {"a rule of the job's own looks at something else",
       R"("phases": {"warming_up": "11min"}, "hang_detection": {"after": "1min"},)",
       0,
       1,
       {{"warming_up", 660_s}, {"productive", 1000_s}}},
      {"and so does fixed detection",
       R"("phases": {"warming_up": "11min"}, "detection": {"fixed": "1min"},)",
       0,
       1,
       {{"warming_up", 660_s}, {"productive", 1000_s}}},
  };
  for (const StillnessRow& row : rows) {
    expect_row(row);
  }
}

// The save of 500 s shows first at 540 s, so the hang in it is sure at 1,140 s. From 0 on again
// there are 500 s of work, a save and 100 s of work.
TEST(WorldStillness, AHangIsTheLongerForThePhaseThatItStrikes) {
  const Outcomes run = run_of(
      R"("checkpoint": {"every": "500s", "blocking": "630s", "at_end": false}, "steps": 60,
         "collective_timeout": "none",)",
      R"({"kind": "hang", "target": "job:a/rank:1", "at": "700s"})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 600_s},
                                   {"rolled_back", 500_s},
                                   {"checkpoint_blocking", 200_s + 630_s},
                                   {"undetected", 440_s}}));
  EXPECT_EQ(run.detected(), 1140_s);
  EXPECT_EQ(run.job()["false_alarms"], 0);
}

// 151 s shows at 180 s, and 700 s at 720 s: either would be sure 600 s later.
TEST(WorldStillness, WhatMovedInBetweenBeginsAnew) {
  const Outcomes run =
      run_of("", R"({"kind": "hang", "target": "job:a/rank:1", "at": "151s", "lasts": "500s"},
             {"kind": "hang", "target": "job:a/rank:1", "at": "700s", "lasts": "500s"})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s}, {"undetected", 1000_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.faults("hang"), "fired 2 masked 0 detected 0");
}

// A rank hangs for 100 s of an upload of 1,000 s, which goes on: only that was still.
TEST(WorldStillness, WhatIsBusyAgainIsNotStill) {
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "1GB/s"}]},
    "job": {"steps": 60, "checkpoint": {"every": "500s", "bytes": "1TB", "at_end": false},
            "script": {"active": ["checkpointing"]}, "env": {"MA_HANG_DETECT_TIME": "10"},
            "policy": {"name": "modelarts", "config": {"max_failures": null,
              "fault-tolerance/job-retry-num": "8", "fault-tolerance/hang-retry": "true"}}},
    "faults": [{"kind": "hang", "target": "job:a/rank:1", "at": "600s", "lasts": "100s"}]})");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.job()["false_alarms"], 0);
  EXPECT_EQ(
      run.ledger(),
      (Buckets{{"productive", 600_s}, {"checkpoint_blocking", 900_s}, {"undetected", 100_s}}));
}

// The compile at 600 s, the saves of 1,200 s and 2,400 s at 1,800 s and 3,000 s.
TEST(WorldStillness, SuspectedOncePerPhaseWhereNothingIsDone) {
  const Outcomes run = run_of(
      R"("phases": {"warming_up": "700s"}, "checkpoint": {"every": "500s", "blocking": "700s"},)",
      "", false);
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.wall(), 3100_s);
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.job()["false_alarms"], 3);
}

// The exit at 50 s makes the job anew at once, and then it compiles.
TEST(WorldStillness, AFalseAlarmAfterAFaultIsNotThatFaults) {
  const Outcomes run =
      run_of(R"("restart_phases": {"warming_up": "11min"},)",
             R"({"id": "exit", "kind": "worker_crash", "how": "exit", "target": "job:a/rank:1",
          "at": "50s"})");
  EXPECT_EQ(run.job()["reason"], "gave_up(modelarts.hang.limit)");
  EXPECT_EQ(run.wall(), 50_s + 4 * 600_s);
  const auto& budgets = run.job()["budgets"];
  EXPECT_EQ(budgets["job-retry-num"]["charges"][0]["fault"], "exit");
  ASSERT_EQ(budgets["hangs in a row"]["charges"].size(), 4);
  for (const auto& charge : budgets["hangs in a row"]["charges"]) {
    EXPECT_EQ(charge["fault"], nullptr);
  }
}

// Each restart exits at once, and each exit makes the job anew, until the fourth (D4).
TEST(WorldStillness, AFalseAlarmAndAScriptThatIsNotReentrant) {
  const Outcomes run =
      run_of(R"("phases": {"warming_up": "11min"}, "script": {"reentrant": false},)");
  EXPECT_EQ(run.job()["reason"], "gave_up(modelarts.unconditional.limit)");
  EXPECT_EQ(run.ledger(), (Buckets{{"warming_up", 4 * 600_s}}));
  EXPECT_EQ(run.job()["attempts"], 8);
  EXPECT_EQ(run.job()["false_alarms"], 4);
  EXPECT_EQ(run.used("job-retry-num"), 3);
}

// No controller takes reports here: who waits in a save waits in a collective.
TEST(WorldStillness, ACollectiveTimesOutInASaveToo) {
  const Outcomes run = run_of(
      R"("checkpoint": {"every": "500s", "blocking": "600s", "at_end": false}, "steps": 60,
         "collective_timeout": "5min",)",
      R"({"kind": "hang", "target": "job:a/rank:1", "at": "700s"})");
  EXPECT_EQ(run.detected(), 1000_s);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 600_s},
                                   {"rolled_back", 500_s},
                                   {"checkpoint_blocking", 200_s + 600_s},
                                   {"undetected", 300_s}}));
  EXPECT_EQ(run.used("unconditional in a row"), 1);
}

TEST(WorldStillness, WhoLooksAtCollectivesSeesNoneInACompile) {
  const Outcomes run = simulated(R"({"job": {"phases": {"warming_up": "1h"}, "policy":
    {"profile": "2026-09", "config": {"max_failures": 9, "nccl_hang_callback": true}}}})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.job()["false_alarms"], 0);
}

}  // namespace
}  // namespace aftershock::sim::world
