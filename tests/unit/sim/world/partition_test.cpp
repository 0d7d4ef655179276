// Cuts from the rest, their length, and the time at which they are noticed. Work of 950 s from 0
// on, saved every 100 s at no cost; cuts begin at 151 s or near it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

// p-1 is cut off at 151 and stalls the gang; back at 161, in the round 160..162. The polls after
// are counted from there, so the end at 960 is seen at 961.
TEST(WorldPartition, APartitionShorterThanTheHeartbeatsHeals) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"undetected", 10_s}, {"finalizing", 1_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.used("max_failures"), 0);
  EXPECT_EQ(run.faults("partition"), "fired 1 masked 0 detected 0");
}

// Healed in the microsecond in which it would be declared dead: the heartbeat of then comes.
TEST(WorldPartition, APartitionThatHealsAtTheDeadline) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "14s"}]})");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.ledger()["undetected"], 14_s);
}

// Silent for 10 s, there for 3 s, silent again from 164 on: declared at 175, not at 165.
TEST(WorldPartition, ASecondSilenceCountsFromItsOwnBegin) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"},
               {"kind": "partition", "target": "node:p-1", "at": "164s", "lasts": "1h"}]})");
  // 165, 170, 175 missed. Polls from 161: 163, 165 is the first unanswered, rounds 165..167,
  // 169..171, 173..175.
  EXPECT_EQ(run.detected(1), 175_s);
}

// Declared at 165 in the round 164..166. The cut-off workers are dead to the controller by then, as
// Ray's actors are: it does not wait for them. From 165 on two zombies, until their node is back at
// 211 and finds itself declared dead.
TEST(WorldPartition, APartitionLongerThanTheHeartbeats) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "60s"}]})");
  EXPECT_EQ(run.detected(), 165_s);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}}));
  EXPECT_EQ(run.job()["stale_accelerator_us"], 2 * 46_s);
  // Declared dead to 211 and given back at 165, the spare idle but for its use from 165 on: p-1 is
  // not a spare.
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["isolated"], 46_s);
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["spares"], 165_s);
}

// One node of the pool, whose process says that its own target is all of it: as in the test above.
TEST(WorldPartition, AListedPartitionCutsOffTheNodeThatItNames) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "pool:p", "lasts": "60s",
                "source": {"occurrences": [{"nth": 1, "at": "151s", "target": "node:p-1"}]}}]})");
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}}));
  EXPECT_EQ(run.job()["stale_accelerator_us"], 2 * 46_s);
}

// Slots without a machine are missed, as by a crash.
TEST(WorldPartition, AListedPartitionMissesAnEmptySlot) {
  const Outcomes run = simulated(R"({
    "pool": {"max_nodes": 3},
    "faults": [{"kind": "partition", "target": "pool:p", "lasts": "60s",
                "source": {"occurrences": [{"nth": 1, "at": "151s", "target": "node:p-2"}]}}]})");
  EXPECT_EQ(run.faults("partition"), "fired 0 masked 1 detected 0");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 1000_s}}));
}

// The job has 2 of 40 nodes, of which 20 are cut off in 1,000 s in the mean: one of its own. Were
// the pool cut off each time, each would be a failure of the job.
TEST(WorldPartition, ARandomPartitionPerNodeCutsOffOneNode) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 40}, "job": {"checkpoint": {"every": "100s"}},
    "faults": [{"kind": "partition", "target": "pool:p", "lasts": "60s",
                "source": {"exponential": {"mtbf": "2000s", "per": "node"}}}]})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_GE(run.summary["faults"]["partition"]["fired"], 8);
  EXPECT_LE(run.job()["attempts"], 5);
}

// Zombies give up when their collective times out: 151 + 60.
TEST(WorldPartition, ZombiesEndWithTheirCollective) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "collective_timeout": "60s"},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "1h"}]})");
  EXPECT_EQ(run.job()["stale_accelerator_us"], 2 * 46_s);
}

// Cut off as a whole, in one rack or two, the gang works on until 165, when both nodes are declared
// dead. Its spare is cut off with it, so the job waits from 165 until the network is whole at 211.
TEST(WorldPartition, APartitionOfTheWholePool) {
  for (const int racks : {1, 3}) {
    const Outcomes run = simulated(fmt::format(
        R"({{"pool": {{"spares": 1, "racks": {}}}, "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}}}},
             "faults": [{{"kind": "partition", "target": "pool:p", "at": "151s",
                          "lasts": "60s"}}]}})",
        racks));
    EXPECT_EQ(run.detected(), 165_s) << racks;
    EXPECT_EQ(
        run.ledger(),
        (Buckets{{"productive", 950_s}, {"rolled_back", 65_s}, {"waiting_for_capacity", 46_s}}))
        << racks;
  }
}

TEST(WorldPartition, AShortPartitionOfTheWholePoolCostsNothing) {
  const Outcomes run = simulated(R"({
    "pool": {"racks": 2}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "pool:p", "at": "151s", "lasts": "9s"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s}}));
  EXPECT_EQ(run.job()["attempts"], 1);
}

// Cut off at 151 and dead at 163: its heartbeats have stayed away since 151.
TEST(WorldPartition, ACutOffNodeThatDiesIsDeclaredByItsFirstSilence) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10min"},
               {"kind": "node_crash", "target": "node:p-1", "at": "163s", "lasts": "10min"}]})");
  EXPECT_EQ(run.detected(), 165_s);
}

TEST(WorldPartition, ADeadNodeThatIsCutOffIsDeclaredByItsFirstSilence) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "151s", "lasts": "10min"},
               {"kind": "partition", "target": "node:p-1", "at": "163s", "lasts": "10min"}]})");
  EXPECT_EQ(run.detected(), 165_s);
}

// Two partitions, one after the other and for 3 s both: p-1 is silent from 151 to 178.
TEST(WorldPartition, APartitionThatHealsWhileAnotherHolds) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1, "racks": 3},
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"},
               {"kind": "partition", "target": "rack:p/1", "at": "158s", "lasts": "20s"}]})");
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}}));
}

// The same from both sides of the heartbeats' limit: 151..157 and 155..163, before 165.
TEST(WorldPartition, TwoPartitionsThatHealInTime) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "6s"},
               {"kind": "partition", "target": "node:p-1", "at": "155s", "lasts": "8s"}]})");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.ledger()["undetected"], 12_s);
  EXPECT_EQ(run.ledger()["productive"], 950_s);
}

// Rank 3 raises behind a cut: nobody can know before its node is back at 161.
TEST(WorldPartition, AnExceptionBehindACut) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "10s"},
               {"id": "bug", "kind": "worker_crash", "target": "job:a/rank:3", "at": "155s"}]})");
  EXPECT_EQ(run.job()["budgets"]["max_failures"]["charges"][0]["t_us"], 161_s);
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 10_s}}));
}

// p-1 is cut off at 150.5 for 13 s, rank 0 raises at 150.6. The poll of 152 waits for p-1 to 154
// and shows the exception. 5 s of patience, then a start on the same nodes at 159: p-1 is silent,
// not known to be dead, and back at 163.5. Then launching takes its 10 s.
TEST(WorldPartition, AStartOnACutOffNodeGoesOnWhenItIsBack) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "restart_phases": {"launching": "10s"}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "150500ms", "lasts": "13s"},
               {"kind": "worker_crash", "target": "job:a/rank:0", "at": "150600ms"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 50.5_s},
                                   {"undetected", 3.5_s + 4.5_s},
                                   {"tearing_down", 5_s},
                                   {"launching", 10_s}}));
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.used("max_failures"), 1);
}

// The report of 101 s waits for the poll of 102 when p-1 is cut off at 101.5 for 5 s. Its two ranks
// hand their part over when they are back, at 106.5, and no later report is mixed up with it.
TEST(WorldPartition, AReportWaitsForRanksThatAreCutOff) {
  const Outcomes run = simulated(R"({
    "job": {"step": "1s", "steps": 300, "checkpoint": {"every": "101s"}},
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "101500ms", "lasts": "5s"}]})");
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.job()["result"]["checkpoint"], "checkpoint_1970-01-01_00-05-05.000000");
  // The end at 305; polls at 106.5 + 2n: 306.5 takes the last report, 308.5 sees the end.
  EXPECT_EQ(run.ledger(),
            (Buckets{{"productive", 300_s}, {"undetected", 5_s}, {"finalizing", 3.5_s}}));
}

}  // namespace
}  // namespace aftershock::sim::world
