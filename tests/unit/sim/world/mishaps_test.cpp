#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// Faults of disks, memory and controllers rather than of single workers, and the budgets they
// charge (ray.md 1.3). The job saves every 100 s and has 950 s of work.
namespace aftershock::sim::world {
namespace {

struct MishapRow {
  const char* name;
  const char* policy;  ///< members of the job's policy
  const char* fault;
  const char* reason;
  std::int64_t wall_us;
  std::int64_t max_failures;
  std::int64_t controller_failures;
  Buckets ledger;
};

constexpr const char* kStartUpError =
    R"({"kind":"hook_error","error":"WorkerGroupStartupFailedError","target":"job:a",)"
    R"("at":"151s"})";

void expect_row(const MishapRow& row) {
  const Outcomes run = simulated(fmt::format(
      R"({{"pool":{{"spares":1}},"job":{{"steps":95,"checkpoint":{{"every":"100s","at_end":false}},)"
      R"("policy":{{{}}}}},"faults":[{}]}})",
      row.policy, row.fault));
  EXPECT_EQ(run.job()["reason"], row.reason) << row.name;
  EXPECT_EQ(run.wall(), row.wall_us) << row.name;
  EXPECT_EQ(run.used("max_failures"), row.max_failures) << row.name;
  EXPECT_EQ(run.used("controller_failure_limit"), row.controller_failures) << row.name;
  EXPECT_EQ(run.ledger(), row.ledger) << row.name;
}

// A save on a full disk raises in user code, at the moment of the save.
TEST(Mishaps, AFullDiskIsAFailureOfUserCodeAtEverySave) {
  const MishapRow rows[] = {
      // The save at 200 s fails; the next one, at 300 s, meets a disk that is free again.
      {"for a while",
       R"("config":{"max_failures":2})",
       R"({"kind":"full_disk","target":"node:p-1","at":"150s","lasts":"100s"})",
       "completed",
       1050_s,
       1,
       0,
       {{"productive", 950_s}, {"rolled_back", 100_s}}},
      // Back to 100 s each time: the saves at 200, 300 and 400 s fail.
      {"for good",
       R"("config":{"max_failures":2})",
       R"({"kind":"full_disk","target":"node:p-1","at":"150s"})",
       "exhausted(max_failures)",
       400_s,
       3,
       0,
       {{"productive", 100_s}, {"rolled_back", 300_s}}},
      {"between two saves",
       R"("config":{"max_failures":2})",
       R"({"kind":"full_disk","target":"node:p-1","at":"110s","lasts":"80s"})",
       "completed",
       950_s,
       0,
       0,
       {{"productive", 950_s}}},
      {"where nobody saves",
       R"("config":{"max_failures":2})",
       R"({"kind":"full_disk","target":"node:p-spare-0","at":"150s"})",
       "completed",
       950_s,
       0,
       0,
       {{"productive", 950_s}}},
      {"on the head: the driver ends, and no budget is touched",
       R"("config":{"max_failures":2})",
       R"({"kind":"full_disk","target":"head:head-0","at":"150s"})",
       "unrecoverable(driver lost: full_disk)",
       150_s,
       0,
       0,
       {{"productive", 100_s}, {"rolled_back", 50_s}}},
  };
  for (const MishapRow& row : rows) {
    expect_row(row);
  }
}

// Both workers of the node die at once: one failure.
TEST(Mishaps, AHostWithoutMemoryIsOneFailure) {
  const MishapRow rows[] = {
      {"one retry",
       R"("config":{"max_failures":1})",
       R"({"kind":"host_oom","target":"node:p-1","at":"151s"})",
       "completed",
       1002_s,
       1,
       0,
       {{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 1_s}}},
      {"none",
       R"("config":{"max_failures":0})",
       R"({"kind":"host_oom","target":"node:p-1","at":"151s"})",
       "exhausted(max_failures)",
       152_s,
       1,
       0,
       {{"productive", 100_s}, {"rolled_back", 51_s}, {"undetected", 1_s}}},
      {"where nobody works",
       R"("config":{"max_failures":0})",
       R"({"kind":"host_oom","target":"node:p-spare-0","at":"151s"})",
       "completed",
       950_s,
       0,
       0,
       {{"productive", 950_s}}},
      {"on the head",
       R"("config":{"max_failures":1})",
       R"({"kind":"host_oom","target":"head:head-0","at":"151s"})",
       "unrecoverable(driver lost: host_oom)",
       151_s,
       0,
       0,
       {{"productive", 100_s}, {"rolled_back", 51_s}}},
  };
  for (const MishapRow& row : rows) {
    expect_row(row);
  }
}

// A hook that raises is an error of the controller: its class decides, and workers are not charged.
TEST(Mishaps, AHookThatRaisesIsAnErrorOfTheController) {
  const MishapRow rows[] = {
      {"any error",
       R"("config":{"max_failures":9})",
       R"({"kind":"hook_error","target":"job:a","at":"151s"})",
       "gave_up(ray_train.controller_error.not_retryable)",
       151_s,
       0,
       0,
       {{"productive", 100_s}, {"rolled_back", 51_s}}},
      {"a start-up error",
       R"("config":{"max_failures":0})",
       kStartUpError,
       "completed",
       1001_s,
       0,
       1,
       {{"productive", 950_s}, {"rolled_back", 51_s}}},
      {"a start-up error beyond the limit",
       R"("config":{"max_failures":9,"controller_failure_limit":0})",
       kStartUpError,
       "exhausted(controller_failure_limit)",
       151_s,
       0,
       1,
       {{"productive", 100_s}, {"rolled_back", 51_s}}},
      {"in the shutdown of a finished run",
       R"("config":{"max_failures":9})",
       R"({"kind":"hook_error","hook":"shutdown","target":"job:a","at":"151s"})",
       "gave_up(ray_train.shutdown.failed)",
       950_s,
       0,
       0,
       {{"productive", 900_s}, {"rolled_back", 50_s}}},
  };
  for (const MishapRow& row : rows) {
    expect_row(row);
  }
}

// The snapshot is written with the commit of 200 s, and that fails.
TEST(Mishaps, ASnapshotThatCannotBeWrittenEndsTheRun) {
  expect_row({"",
              R"("config":{"max_failures":9})",
              R"({"kind":"unwritable_snapshot","target":"job:a","at":"151s"})",
              "gave_up(ray_train.snapshot.unwritable)",
              200_s,
              0,
              0,
              {{"productive", 200_s}}});
}

// The checkpoint of 100 s is gone. The crash is seen at 152 s, and each of two retries fails to
// load in the same moment.
TEST(Mishaps, ADeletedCheckpointFailsEveryRetry) {
  expect_row({"",
              R"("config":{"max_failures":2})",
              R"({"kind":"deleted_checkpoint","target":"job:a","at":"120s"},)"
              R"({"kind":"worker_crash","target":"job:a/rank:1","at":"152s"})",
              "exhausted(max_failures)",
              152_s,
              3,
              0,
              {{"productive", 100_s}, {"rolled_back", 52_s}}});
}

}  // namespace
}  // namespace aftershock::sim::world
