// Several jobs and one pool.

#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

// a holds both nodes to 100. low asks at 10, high at 20; each start gives up after 60 s and is
// tried again. high is served first, from 100 to 200, then low: 10 .. 200 is 190 s, starts given up
// at 70, 130, 190; high waited 80 s and gave up at 80.
TEST(WorldQueue, ThePriorityDecidesWhoGetsTheNode) {
  const Outcomes run = simulated(R"({
    "jobs": [{"name": "a", "steps": 10},
             {"name": "low", "steps": 10, "submit": "10s"},
             {"name": "high", "steps": 10, "submit": "20s", "priority": 5}]})");
  EXPECT_EQ(run.ledger(0), (Buckets{{"productive", 100_s}}));
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 100_s}, {"waiting_for_capacity", 190_s}}));
  EXPECT_EQ(run.ledger(2), (Buckets{{"productive", 100_s}, {"waiting_for_capacity", 80_s}}));
  EXPECT_EQ(run.used("controller_failure_limit", 1), 3);
  EXPECT_EQ(run.used("controller_failure_limit", 2), 1);
}

TEST(WorldQueue, AmongEqualsTheFirstToAsk) {
  const Outcomes run = simulated(R"({
    "jobs": [{"name": "a", "steps": 5},
             {"name": "first", "steps": 5, "submit": "10s"},
             {"name": "second", "steps": 5, "submit": "20s"}]})");
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 50_s}, {"waiting_for_capacity", 40_s}}));
  EXPECT_EQ(run.wall(2), 130_s);
}

// Four nodes, of which p-3 is down to 30. a holds two to 100; big and big2 ask for three at 10 and
// 15, small for one at 20: it fits past those that wait, and their order stays. At 100 three are
// free for big, at 200 for big2.
TEST(WorldQueue, WhoFitsIsServedAndTheOthersKeepTheirPlace) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 4},
    "jobs": [{"name": "a", "steps": 10, "workers": 4},
             {"name": "big", "steps": 10, "workers": 6, "submit": "10s",
              "policy": {"config": {"worker_group_start_timeout_s": 3600}}},
             {"name": "big2", "steps": 10, "workers": 6, "submit": "15s",
              "policy": {"config": {"worker_group_start_timeout_s": 3600}}},
             {"name": "small", "steps": 10, "workers": 2, "submit": "20s",
              "policy": {"config": {"worker_group_start_timeout_s": 3600}}}],
    "faults": [{"kind": "node_crash", "target": "node:p-3", "at": "5s", "lasts": "25s"}]})");
  EXPECT_EQ(run.ledger(3), (Buckets{{"productive", 100_s}}));
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 100_s}, {"waiting_for_capacity", 90_s}}));
  EXPECT_EQ(run.ledger(2), (Buckets{{"productive", 100_s}, {"waiting_for_capacity", 185_s}}));
}

// Asked for in the same microsecond: the higher priority has the only node first, wherever it
// stands in the file.
TEST(WorldQueue, PriorityDecidesWithinAMicrosecond) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 1},
    "jobs": [{"name": "low", "workers": 2, "steps": 10, "priority": -5,
              "policy": {"config": {"worker_group_start_timeout_s": 3600}}},
             {"name": "high", "workers": 2, "steps": 10, "priority": 100,
              "policy": {"config": {"worker_group_start_timeout_s": 3600}}}]})");
  EXPECT_EQ(run.ledger(0), (Buckets{{"productive", 100_s}, {"waiting_for_capacity", 100_s}}));
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 100_s}}));
}

// Both lose their node at 151, known at 165, and there is one spare. The other one waits for the
// repair at 251.
TEST(WorldQueue, TwoBrokenJobsAndOneSpare) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 2, "spares": 1, "repair": "100s"},
    "jobs": [{"name": "one", "workers": 2, "steps": 30},
             {"name": "two", "workers": 2, "steps": 30}],
    "faults": [{"kind": "node_crash", "target": "node:p-0", "at": "151s"},
               {"kind": "node_crash", "target": "node:p-1", "at": "151s"}]})");
  EXPECT_EQ(run.ledger(0),
            (Buckets{{"productive", 300_s}, {"rolled_back", 151_s}, {"undetected", 14_s}}));
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 300_s},
                                    {"rolled_back", 151_s},
                                    {"undetected", 14_s},
                                    {"waiting_for_capacity", 86_s}}));
}

}  // namespace
}  // namespace aftershock::sim::world
