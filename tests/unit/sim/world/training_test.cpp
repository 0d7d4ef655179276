// Training, checkpoints and restores without anything unforeseen in them. Lengths by hand.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

// Launching 20 + 4 set-up to 24, rendezvous to 35 (polls fall on odd seconds from there),
// warming up to 65. 1,000 s of work and ten checkpoints of 5 s, the last one at the end: to 1,115,
// where the poll commits it. Finalizing 7 to 1,122; the poll of 1,123 sees the end; teardown 3.
TEST(WorldTraining, HappyRunWithBlockingCheckpoints) {
  const Outcomes run = simulated(R"({
    "job": {"checkpoint": {"every": "100s", "blocking": "5s"},
            "phases": {"launching": "20s", "rendezvous": "11s", "restoring": "99s",
                       "warming_up": "30s", "finalizing": "7s", "tearing_down": "3s"},
            "script": {"setup": "4s"}, "run": {"storage_path": "s3://b", "name": "n"}}})");
  EXPECT_EQ(run.summary["verdict"], "passed");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.job()["reason"], "completed");
  EXPECT_EQ(run.job()["vendor_state"], "FINISHED");
  EXPECT_EQ(run.wall(), 1126_s);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s},
                                   {"checkpoint_blocking", 50_s},
                                   {"launching", 24_s},
                                   {"rendezvous", 11_s},
                                   {"warming_up", 30_s},
                                   {"finalizing", 8_s},
                                   {"tearing_down", 3_s}}));
  EXPECT_EQ(run.job()["ledger_accelerator_us"]["productive"], 4 * 1000_s);
  EXPECT_EQ(run.job()["steps_done"], 100);
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.job()["result"]["checkpoint"], "checkpoint_1970-01-01_00-18-35.000000");
  EXPECT_EQ(run.job()["result"]["path"], "s3://b/n");
  EXPECT_EQ(run.summary["simulated_us"], 1126_s);
}

// O4 without failures: tau / (tau + d), exactly.
TEST(WorldTraining, EfficiencyWithoutFailures) {
  const Outcomes run = simulated(R"({"until": "560s",
    "job": {"steps": null, "checkpoint": {"every": "50s", "blocking": "6s"}}})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 500_s}, {"checkpoint_blocking", 60_s}}));
  EXPECT_DOUBLE_EQ(run.job()["ettr"].get<double>(), 50.0 / 56.0);
}

// Uploads of 3 GB at 100 MB/s take 30 s behind training. The last save begins at 1,045 and stands
// still to 1,050; its upload to 1,080 keeps the job; that poll takes its report, and only the next
// one sees the end: a report that has not been taken counts as running.
TEST(WorldTraining, AsyncUploadGoesOnBehindTraining) {
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "job": {"checkpoint": {"every": "100s", "blocking": "5s", "bytes": "3GB", "upload": "async"}}
  })");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"checkpoint_blocking", 50_s}, {"finalizing", 32_s}}));
}

TEST(WorldTraining, BlockingUploadHoldsTrainingUp) {
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "job": {"checkpoint": {"every": "100s", "blocking": "5s", "bytes": "3GB"}}
  })");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"checkpoint_blocking", 350_s}, {"finalizing", 2_s}}));
}

// Uploads of 150 s behind 100 s of training: the save of 200 waits until 250, that of 350 until
// 400; the last upload ends at 550.
TEST(WorldTraining, ASaveWaitsForTheUploadBefore) {
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "job": {"steps": 30, "checkpoint": {"every": "100s", "bytes": "15GB", "upload": "async"}}
  })");
  EXPECT_EQ(
      run.ledger(),
      (Buckets{{"productive", 300_s}, {"checkpoint_blocking", 100_s}, {"finalizing", 152_s}}));
}

// Steps of 10 s: after 105 s the save waits for the end of the step at 110; three in all, and none
// more at the end.
TEST(WorldTraining, SavesFallOnEndsOfSteps) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 34, "checkpoint": {"every": "105s", "blocking": "1s", "at_end": false}}})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 340_s}, {"checkpoint_blocking", 3_s}, {"finalizing", 1_s}}));
}

TEST(WorldTraining, EveryStepsIsTheSame) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 34, "checkpoint": {"every_steps": 11, "blocking": "1s", "at_end": false}}})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 340_s}, {"checkpoint_blocking", 3_s}, {"finalizing", 1_s}}));
}

struct RestoreRow {
  const char* name;
  const char* pool;
  const char* cluster;
  const char* phases;
  std::int64_t restoring_us;
};

// 6 GB are restored to two nodes. A worker raises at 151 s, the poll of 152 sees it, and the gang
// runs again at once from the checkpoint of 100 s; 850 s are left to do.
TEST(WorldTraining, RestoreIsBoundByTheSlowestOnItsWay) {
  const RestoreRow rows[] = {
      {"storage", "{}", "1GB/s", "{}", 6_s},
      {"storage and selection", "{}", "1GB/s", R"({"restoring": "3s"})", 9_s},
      {"two NICs", R"({"nic": "200MB/s"})", "1GB/s", "{}", 15_s},
      {"storage below the NICs", R"({"nic": "2GB/s"})", "1GB/s", "{}", 6_s},
      {"a rack each", R"({"racks": 2})", R"(1GB/s", "up": "150MB/s)", "{}", 20_s},
      {"one rack for both", R"({"racks": 1})", R"(1GB/s", "up": "150MB/s)", "{}", 40_s},
  };
  for (const RestoreRow& row : rows) {
    std::string read = row.cluster;
    std::string uplink;
    if (const auto at = read.find('"'); at != std::string::npos) {
      uplink = R"("rack_uplink": "150MB/s",)";
      read.resize(at);
    }
    const Outcomes run = simulated(fmt::format(
        R"({{"pool": {},
             "cluster": {{{} "storage": [{{"name": "s", "read": "{}", "write": "6GB/s"}}]}},
             "job": {{"steps": 95, "phases": {},
                      "checkpoint": {{"every": "100s", "bytes": "6GB", "upload": "async",
                                      "at_end": false}}}},
             "faults": [{{"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"}}]}})",
        row.pool, uplink, read, row.phases));
    Buckets wanted{{"productive", 950_s},
                   {"rolled_back", 51_s},
                   {"undetected", 1_s},
                   {"restoring", row.restoring_us}};
    if (row.restoring_us % 2_s != 0) {
      wanted["finalizing"] = 1_s;  // to the next poll
    }
    EXPECT_EQ(run.ledger(), wanted) << row.name;
    EXPECT_EQ(run.job()["lost"]["us"], 51_s) << row.name;
    EXPECT_EQ(run.job()["lost"]["steps"], 5) << row.name;
    EXPECT_EQ(run.job()["lost"]["accelerator_us"], 4 * 51_s) << row.name;
    EXPECT_EQ(run.job()["recoveries"][0]["running_us"], 152_s + row.restoring_us) << row.name;
    EXPECT_EQ(run.job()["recoveries"][0]["caught_up_us"], 203_s + row.restoring_us) << row.name;
  }
}

TEST(WorldTraining, WithoutCheckpointsAllIsLost) {
  const Outcomes run = simulated(R"({
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 151_s}, {"undetected", 1_s}}));
  EXPECT_EQ(run.job()["lost"]["steps"], 15);
}

TEST(WorldTraining, AScriptThatDoesNotSaveLosesAll) {
  const Outcomes run = simulated(R"({
    "job": {"checkpoint": {"every": "100s", "blocking": "5s"}, "script": {"saves": false}},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 151_s}, {"undetected", 1_s}}));
}

TEST(WorldTraining, AScriptThatDoesNotResumeLosesAll) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false},
            "script": {"resumes": false}},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0", "at": "551s"}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 551_s}, {"undetected", 1_s}}));
}

// 600 s are saved at 600 s. The second attempt does its 1,000 s from 652 s on, on top of those;
// where it does not load them it does no more than that. It ends at the moment of a poll, and the
// next one sees that.
TEST(WorldTraining, AScriptThatCountsStepsByTheAttemptDoesAllOfThemAgain) {
  const auto run_with = [](const char* script) {
    return simulated(fmt::format(
        R"({{"job": {{"checkpoint": {{"every": "300s"}}, "script": {}}},
             "faults": [{{"kind": "worker_crash", "target": "job:a/rank:0", "at": "651s"}}]}})",
        script));
  };
  const Outcomes whole = run_with(R"({"steps_per": "job"})");
  EXPECT_EQ(whole.ledger(), (Buckets{{"productive", 1000_s},
                                     {"rolled_back", 51_s},
                                     {"undetected", 1_s},
                                     {"finalizing", 2_s}}));
  const Outcomes again = run_with(R"({"steps_per": "attempt"})");
  EXPECT_EQ(again.ledger(), (Buckets{{"productive", 1600_s},
                                     {"rolled_back", 51_s},
                                     {"undetected", 1_s},
                                     {"finalizing", 2_s}}));
  EXPECT_EQ(again.job()["steps_done"], 160);
  EXPECT_EQ(again.job()["outcome"], "completed");
  const Outcomes anew = run_with(R"({"steps_per": "attempt", "resumes": false})");
  EXPECT_EQ(anew.ledger(), (Buckets{{"productive", 1000_s},
                                    {"rolled_back", 651_s},
                                    {"undetected", 1_s},
                                    {"finalizing", 2_s}}));
}

// Attempt 1 commits 500 s and breaks at 551; attempt 2 begins at zero at 552. Work that it did not
// commit itself is lost when the job fails, and what attempt 1 committed was lost before.
TEST(WorldTraining, AScriptThatDoesNotResumeKeepsOnlyWhatItsLastAttemptCommitted) {
  struct Row {
    const char* second;
    std::int64_t kept_us;
    std::int64_t lost_us;
  };
  const Row rows[] = {{"701s", 100_s, 600_s},  // 149 s done, 100 committed
                      {"601s", 0, 600_s}};     // 49 s done, none committed
  for (const Row& row : rows) {
    const Outcomes run = simulated(fmt::format(
        R"({{"job": {{"checkpoint": {{"every": "100s"}}, "script": {{"resumes": false}},
                      "policy": {{"config": {{"max_failures": 1}}}}}},
             "faults": [{{"kind": "worker_crash", "target": "job:a/rank:0", "at": "551s"}},
                        {{"kind": "worker_crash", "target": "job:a/rank:0", "at": "{}"}}]}})",
        row.second));
    Buckets wanted{{"rolled_back", row.lost_us}, {"undetected", 2_s}};
    if (row.kept_us > 0) {
      wanted["productive"] = row.kept_us;
    }
    EXPECT_EQ(run.job()["outcome"], "failed") << row.second;
    EXPECT_EQ(run.ledger(), wanted) << row.second;
    EXPECT_EQ(run.job()["steps_done"], row.kept_us / 10_s) << row.second;
    EXPECT_EQ(run.job()["lost"]["us"], row.lost_us) << row.second;
    EXPECT_EQ(run.job()["lost"]["steps"], 59) << row.second;  // 55 + 14 - 10, 55 + 4
  }
}

// The report of 101 s is taken by the poll of 102 s. A process that ends in between takes its
// report with it; one whose thread raised still hands it over, and the commit comes first.
TEST(WorldTraining, ACrashBetweenReportAndCommit) {
  struct Row {
    const char* how;
    std::int64_t lost_us;
  };
  const Row rows[] = {{"oom", 101.5_s}, {"exit", 101.5_s}, {"exception", 0.5_s}};
  for (const Row& row : rows) {
    const Outcomes run = simulated(fmt::format(
        R"({{"job": {{"step": "1s", "steps": 202, "checkpoint": {{"every": "101s"}}}},
             "faults": [{{"kind": "worker_crash", "how": "{}", "target": "job:a/rank:3",
                          "at": "101500ms"}}]}})",
        row.how));
    EXPECT_EQ(run.job()["lost"]["us"], row.lost_us) << row.how;
    EXPECT_EQ(run.ledger()["rolled_back"], row.lost_us) << row.how;
    EXPECT_EQ(run.ledger()["undetected"], 0.5_s) << row.how;
    EXPECT_EQ(run.job()["outcome"], "completed") << row.how;
  }
}

// A job that fails rolls back to its last committed checkpoint; that work is stranded.
TEST(WorldTraining, AFailedJobKeepsWhatItCommitted) {
  const Outcomes run = simulated(R"({
    "job": {"checkpoint": {"every": "100s"}, "phases": {"tearing_down": "3s"},
            "policy": {"config": {"max_failures": 0}}},
    "faults": [{"id": "bug", "kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"}]})");
  EXPECT_EQ(run.summary["verdict"], "passed");
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.job()["vendor_state"], "ERRORED");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 100_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 1_s},
                                   {"tearing_down", 3_s}}));
  EXPECT_EQ(run.job()["steps_done"], 10);
  EXPECT_EQ(run.job()["stranded"]["steps"], 10);
  EXPECT_EQ(run.job()["stranded"]["accelerator_us"], 4 * 100_s);
  EXPECT_EQ(run.job()["lost"]["steps"], 5);
  EXPECT_EQ(run.used("max_failures"), 1);
  const auto& charge = run.job()["budgets"]["max_failures"]["charges"][0];
  EXPECT_EQ(charge["t_us"], 152_s);
  EXPECT_EQ(charge["fault"], "bug");
  EXPECT_EQ(charge["cause"], "application");
  EXPECT_EQ(run.job()["budgets"]["max_failures"]["exhausted"], true);
}

TEST(WorldTraining, AtTheHorizonUncommittedWorkIsProductive) {
  const Outcomes run = simulated(R"({"until": "151500ms",
    "job": {"checkpoint": {"every": "100s"}}})");
  EXPECT_EQ(run.summary["verdict"], "passed");
  EXPECT_EQ(run.job()["outcome"], "running");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 151.5_s}}));
  EXPECT_EQ(run.job()["steps_done"], 15);
  EXPECT_EQ(run.job()["stranded"]["steps"], 0);
}

// Cut in the middle of a recovery: what the attempt would have lost has not been rolled back yet.
TEST(WorldTraining, TheHorizonInAnUndetectedFault) {
  const Outcomes run = simulated(R"({"until": "160s", "job": {"checkpoint": {"every": "100s"}},
    "faults": [{"kind": "node_crash", "target": "node:p-0", "at": "151s"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 151_s}, {"undetected", 9_s}}));
}

// An upload of 30 s under way since 100 s is cut off from storage at 110 and begins anew at 120.
// The gang is whole and nobody is declared dead.
TEST(WorldTraining, AnUploadBeginsAnewWhenItsStorageCanBeReachedAgain) {
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "job": {"steps": 15, "checkpoint": {"every": "100s", "bytes": "3GB", "at_end": false}},
    "faults": [{"kind": "partition", "target": "pool:p", "at": "110s", "lasts": "10s"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 150_s}, {"checkpoint_blocking", 50_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
}

}  // namespace
}  // namespace aftershock::sim::world
