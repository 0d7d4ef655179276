#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

// A policy's process that is killed and started again, on a head that stands. A controller
// that owns its workers loses the same as with its head (drivers_test.cpp).
namespace aftershock::sim::world {
namespace {

std::string killed(const std::string& fault, const std::string& rest) {
  return fmt::format(R"({{{},"faults":[{{"kind":"policy_crash","target":"job:a",{}}}]}})", rest,
                     fault);
}

constexpr const char* kSaves = R"("job":{"run":{"name":"r"},"checkpoint":{"every":"100s"}})";

// Committed at 100 s; 30 s are lost at 130 s, and the new process is there at 180 s. A poll after
// the last checkpoint's sees the end, 2 s later.
TEST(PolicyCrash, GoesOnFromWhatWasPersisted) {
  const Outcomes run = simulated(killed(R"("at":"130s","lasts":"50s")", kSaves));
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s},
                                   {"rolled_back", 30_s},
                                   {"controller_down", 50_s},
                                   {"finalizing", 2_s}}));
  EXPECT_EQ(run.summary["driver_runs"][1]["found"], "step 10 of job a");
  EXPECT_EQ(run.used("max_failures"), 0);
}

TEST(PolicyCrash, BeginsAnewWhereTheStateIsLost) {
  const Outcomes run = simulated(killed(R"("at":"130s","lasts":"50s","state":"lost")", kSaves));
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s},
                                   {"rolled_back", 130_s},
                                   {"controller_down", 50_s},
                                   {"finalizing", 2_s}}));
  EXPECT_EQ(run.summary["driver_runs"][1]["found"], "nothing");
}

TEST(PolicyCrash, TakesTenSecondsUnlessItIsSaid) {
  const Outcomes run = simulated(killed(R"("at":"130s")", R"("job":{})"));
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 130_s}, {"controller_down", 10_s}}));
}

// There is nothing to kill before the job is submitted, and while its policy is down.
TEST(PolicyCrash, FindsNobodyWhereNoneRuns) {
  const Outcomes run = simulated(
      R"({"job":{"submit":"20s"},"faults":[{"kind":"policy_crash","target":"job:a","at":"10s"},)"
      R"({"kind":"policy_crash","target":"job:a","at":"120s","lasts":"50s"},)"
      R"({"kind":"policy_crash","target":"job:a","at":"150s"}]})");
  EXPECT_EQ(run.faults("policy_crash"), "fired 1 masked 2 detected 0");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 100_s}, {"controller_down", 50_s}}));
}

// The head is down from 120 s to 140 s and brings a new driver, which nobody starts once more when
// the policy's own 100 s are over.
TEST(PolicyCrash, EndsWithItsHead) {
  const Outcomes run =
      simulated(R"({"cluster":{"heads":[{"name":"h","restart":{"after":"20s"}}]},"faults":[)"
                R"({"kind":"policy_crash","target":"job:a","at":"100s","lasts":"100s"},)"
                R"({"kind":"head_crash","target":"head:h","at":"120s"}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 100_s}, {"controller_down", 40_s}}));
  EXPECT_EQ(run.summary["driver_runs"].size(), 2);
}

// A head that does not come back leaves nobody to start it.
TEST(PolicyCrash, IsForGoodWhereTheHeadIs) {
  const Outcomes run =
      simulated(R"({"faults":[{"kind":"policy_crash","target":"job:a","at":"100s","lasts":"100s"},)"
                R"({"kind":"head_crash","target":"head:head-0","at":"120s"}]})");
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.job()["reason"], "unrecoverable(driver lost: head_crash)");
  EXPECT_EQ(run.wall(), 120_s);
}

std::string of_platform(const std::string& fault) {
  return killed(fault,
                R"("pool":{"accelerators":{"kind":"npu"}},"job":{"script":{"setup":"5s"},"policy":)"
                R"({"name":"modelarts","config":{"max_failures":null,)"
                R"("fault-tolerance/job-retry-num":"8"}}})");
}

// Pods that no controller owns go on.
TEST(PolicyCrash, OfAPlatformIsNotMissed) {
  const Outcomes run = simulated(of_platform(R"("at":"100s","lasts":"50s")"));
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 5_s}, {"productive", 1000_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
}

// One that knows nothing of them has them made anew: 95 s of work are lost.
TEST(PolicyCrash, OfAPlatformThatForgetsMakesTheJobAnew) {
  const Outcomes run = simulated(of_platform(R"("at":"100s","lasts":"50s","state":"lost")"));
  EXPECT_EQ(run.ledger(), (Buckets{{"launching", 5_s + 5_s},
                                   {"productive", 1000_s},
                                   {"rolled_back", 95_s},
                                   {"controller_down", 50_s}}));
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.used("job-retry-num"), 0);
}

// As when its head is lost at 35 s for 50 s: each of the four trials goes on from 30 s of work.
TEST(PolicyCrash, OfAnExperimentGoesOnFromItsSnapshot) {
  const Outcomes run =
      simulated(R"({"experiments":[{"run":{"storage_path":"/nfs","name":"x"},)"
                R"("policy":{"config":{"restore":true}}}],"faults":[)"
                R"({"kind":"policy_crash","target":"experiment:x","at":"35s","lasts":"50s"}]})");
  EXPECT_EQ(
      run.trials_ledger(),
      (Buckets{{"productive", 400_s}, {"rolled_back", 4 * 5_s}, {"controller_down", 4 * 50_s}}));
  EXPECT_EQ(run.experiment().at("wall_us"), 155_s);
}

}  // namespace
}  // namespace aftershock::sim::world
