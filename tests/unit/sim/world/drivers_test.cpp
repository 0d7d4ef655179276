#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

constexpr const char* kHeadOnce =
    R"("cluster":{"heads":[{"name":"h","restart":{"after":"50s","limit":1}}]})";

std::string with_head(const std::string& rest) {
  return "{" + std::string(kHeadOnce) + "," + rest + "}";
}

// Nothing was saved, so the new driver starts from zero 50 s later: 100 s are lost.
TEST(Drivers, WithoutACheckpointStartFromZero) {
  const Outcomes run = simulated(with_head(
      R"("job":{"run":{"name":"r"}},"faults":[{"kind":"head_crash","target":"head:h","at":"100s"}])"));
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.wall(), 1150_s);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 100_s}, {"controller_down", 50_s}}));
  EXPECT_EQ(run.used("max_failures"), 0);
  EXPECT_EQ(run.summary["driver_runs"][1]["found"], "nothing");
}

// Committed at 100 s; 30 s of work are lost at 130 s, and the driver is back at 180 s. The last
// checkpoint is taken by the poll at the end, and a rank with a report still counts as running.
TEST(Drivers, GoOnFromTheLastCheckpointOfTheirName) {
  const Outcomes run =
      simulated(with_head(R"("job":{"run":{"name":"r"},"checkpoint":{"every":"100s"}},)"
                          R"("faults":[{"kind":"host_oom","target":"head:h","at":"130s"}])"));
  EXPECT_EQ(run.wall(), 1082_s);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s},
                                   {"rolled_back", 30_s},
                                   {"controller_down", 50_s},
                                   {"finalizing", 2_s}}));
  EXPECT_EQ(run.job()["lost"]["steps"], 3);
  EXPECT_EQ(run.summary["driver_runs"][1]["found"], "step 10 of job a");
}

// The limit of restarts is one: the second loss ends the run, and 20 steps are in storage.
TEST(Drivers, AreNotStartedBeyondTheLimit) {
  const Outcomes run =
      simulated(with_head(R"("job":{"run":{"name":"r"},"checkpoint":{"every":"100s"}},"faults":[)"
                          R"({"kind":"head_crash","target":"head:h","at":"130s"},)"
                          R"({"kind":"preemption","target":"head:h","at":"300s"}])"));
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.job()["reason"], "unrecoverable(driver lost: preemption)");
  EXPECT_EQ(run.wall(), 300_s);
  EXPECT_EQ(run.job()["stranded"]["steps"], 20);
}

// A head is down when the job is submitted: it waits for a driver.
TEST(Drivers, WaitForTheirHead) {
  const Outcomes run = simulated(with_head(
      R"("job":{"submit":"120s"},"faults":[{"kind":"head_crash","target":"head:h","at":"100s"}])"));
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s}, {"controller_down", 30_s}}));
}

// Seen at 110 s, with a list of nodes of 100 s: a start of all four waits in vain until 170 s. Two
// workers do 120 s of work then. The node is back at 400 s, and the next consideration, 60 s after
// another from 170 s on, is at 410 s: four workers from zero.
TEST(Drivers, ElasticGroupsShrinkAndGrow) {
  const Outcomes run = simulated(
      R"({"job":{"detection":{"fixed":"10s"},"policy":{"config":{"max_failures":9,)"
      R"("num_workers":[2,4]}}},)"
      R"("faults":[{"kind":"node_crash","target":"node:p-1","at":"100s","lasts":"300s"}]})");
  EXPECT_EQ(run.wall(), 1410_s);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s},
                                   {"rolled_back", 340_s},
                                   {"undetected", 10_s},
                                   {"waiting_for_capacity", 60_s}}));
  EXPECT_EQ(run.job()["lost"]["steps"], 22);
  EXPECT_EQ(run.job()["ledger_accelerator_us"]["reduced"], 2 * 240_s);
  EXPECT_EQ(run.job()["attempts"], 4);
  EXPECT_EQ(run.used("max_failures"), 1);
  EXPECT_EQ(run.used("controller_failure_limit"), 1);
}

// Two of four workers take 20 s for a step, so 2,000 s for all: the interval is one of time still.
TEST(Drivers, ElasticGroupsSaveAsOftenWhenTheyAreSmall) {
  const Outcomes run =
      simulated(R"({"pool":{"nodes":1},"job":{"checkpoint":{"every":"100s","blocking":"2s"},)"
                R"("policy":{"config":{"num_workers":[2,4]}}}})");
  EXPECT_EQ(
      run.ledger(),
      (Buckets{{"productive", 2000_s}, {"checkpoint_blocking", 20 * 2_s}, {"finalizing", 2_s}}));
}

// Ranks 2 and 3 are replaced; ranks 0 and 1 keep what they did, but for the step under way.
TEST(Drivers, ReplicaGroupsLoseTheStepUnderWay) {
  const Outcomes run = simulated(
      R"({"job":{"detection":{"fixed":"10s"},"policy":{"config":{"max_failures":9,)"
      R"("replica_groups":true}}},)"
      R"("faults":[{"kind":"worker_crash","how":"exit","target":"job:a/rank:2","at":"104s"}]})");
  EXPECT_EQ(run.wall(), 1014_s);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 4_s}, {"undetected", 10_s}}));
  EXPECT_EQ(run.used("max_failures"), 1);
}

// Rank 2 dies at 124 s with 104 s done; its successor is there at 144 s. A fault of rank 0
// meanwhile holds the group up only from then on: ranks that wait do nothing that could be missed.
TEST(Drivers, SurvivorsOfAReplacementCanFailToo) {
  const auto run = [](const std::string& fault) {
    return simulated(
        R"({"job":{"phases":{"launching":"20s"},"policy":{"config":{"max_failures":9,)"
        R"("replica_groups":true}}},"faults":[)"
        R"({"kind":"worker_crash","how":"exit","target":"job:a/rank:2","at":"124s"},)" +
        fault + "]}");
  };
  const Outcomes hung = run(R"({"kind":"hang","target":"job:a/rank:0","at":"130s","lasts":"30s"})");
  EXPECT_EQ(hung.faults("hang"), "fired 1 masked 0 detected 0");
  EXPECT_EQ(hung.ledger(), (Buckets{{"productive", 1000_s},
                                    {"rolled_back", 4_s},
                                    {"launching", 40_s},
                                    {"undetected", 16_s}}));
  EXPECT_EQ(hung.used("max_failures"), 1);
  const Outcomes over = run(R"({"kind":"hang","target":"job:a/rank:0","at":"130s","lasts":"10s"})");
  EXPECT_EQ(over.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 4_s}, {"launching", 40_s}}));
  const Outcomes dead =
      run(R"({"kind":"worker_crash","how":"exit","target":"job:a/rank:0","at":"130s"})");
  EXPECT_EQ(dead.ledger(),
            (Buckets{{"productive", 1000_s}, {"rolled_back", 4_s}, {"launching", 60_s}}));
  EXPECT_EQ(dead.used("max_failures"), 2);
  EXPECT_EQ(dead.used("controller_failure_limit"), 0);
  const Outcomes starting =
      run(R"({"kind":"hang","target":"job:a/rank:2","at":"130s","lasts":"30s"})");
  EXPECT_EQ(starting.faults("hang"), "fired 0 masked 1 detected 0");
}

}  // namespace
}  // namespace aftershock::sim::world
