// The table of sim/README.md, "Who is cut off from whom", row by row: what is cut, which way, for
// how long; who sees it when; what the ledger says. The world is that of partition_test.cpp: work
// of 950 s from 0 on, saved every 100 s at no cost, polls at even seconds, heartbeats every 5 s of
// which three may stay away, one spare. Cuts begin at 151 s.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

struct CutRow {
  const char* name;
  const char* fault;         ///< its difference from the others
  const char* more;          ///< of the scenario
  std::int64_t detected_us;  ///< 0: nobody sees it
  Buckets ledger;
  std::int64_t attempts;
  std::int64_t stale_us;  ///< accelerator time of workers that live on
};

void PrintTo(const CutRow& row, std::ostream* out) { *out << row.name; }

// Declared dead at 165 by the heartbeats of 155, 160 and 165, and so are the workers there: nobody
// waits for them. The ranks stood still since 151.
const Buckets kStoodStill{{"productive", 950_s}, {"rolled_back", 51_s}, {"undetected", 14_s}};
// The same, but they worked until 165.
const Buckets kWorkedOn{{"productive", 950_s}, {"rolled_back", 65_s}};
// And the spare is cut off, too: until 211 there are no nodes.
const Buckets kWorkedOnAndWaited{
    {"productive", 950_s}, {"rolled_back", 65_s}, {"waiting_for_capacity", 46_s}};
// Nobody gives up: they stand still until 211.
const Buckets kOnlyStood{{"productive", 950_s}, {"undetected", 60_s}};
const Buckets kNothing{{"productive", 950_s}};

class PartitionTable : public testing::TestWithParam<CutRow> {};

TEST_P(PartitionTable, SaysWhatHappens) {
  const CutRow& row = GetParam();
  const Outcomes run = simulated(fmt::format(
      R"({{"pool": {{"spares": 1}}, {}
           "job": {{"steps": 95, "checkpoint": {{"every": "100s", "at_end": false}}}},
           "faults": [{{"id": "cut", "at": "151s", {}}}]}})",
      row.more, row.fault));
  EXPECT_EQ(run.ledger(), row.ledger);
  EXPECT_EQ(run.job()["attempts"], row.attempts);
  EXPECT_EQ(run.job()["stale_accelerator_us"], row.stale_us);
  const auto& recoveries = run.job()["recoveries"];
  const bool seen = !recoveries.empty() && !recoveries[0]["detected_us"].is_null();
  EXPECT_EQ(seen ? run.detected() : 0, row.detected_us);
}

#define KIND(kind, target) R"("kind": ")" kind R"(", "target": ")" target R"(", "lasts": "60s")"

INSTANTIATE_TEST_SUITE_P(
    Rows, PartitionTable,
    testing::Values(
        // One node against all the rest. Two zombies from 165 to 211.
        CutRow{"node", KIND("partition", "node:p-1"), "", 165_s, kStoodStill, 2, 2 * 46_s},
        CutRow{"link_of_a_node", KIND("partition", "link:p-1/p/0"), "", 165_s, kStoodStill, 2,
               2 * 46_s},
        CutRow{"rack_of_one", KIND("partition", "rack:p/1"),
               R"("pool": {"spares": 1, "racks": 3},)", 165_s, kStoodStill, 2, 2 * 46_s},
        // It hears that it shall end, and does; that it did so nobody hears.
        CutRow{"outwards", KIND("one_way_partition", "node:p-1") R"(, "direction": "outwards")", "",
               165_s, kStoodStill, 2, 0},
        // Its heartbeats come. Unanswered polls alone would be given up after 10 min.
        CutRow{"inwards", KIND("one_way_partition", "node:p-1") R"(, "direction": "inwards")", "",
               0, kOnlyStood, 1, 0},
        // Against the heads alone: the gang is whole and works on.
        CutRow{"head", KIND("head_worker_partition", "node:p-1"), "", 165_s, kWorkedOn, 2,
               2 * 46_s},
        CutRow{"head_outwards",
               KIND("head_worker_partition", "node:p-1") R"(, "direction": "outwards")", "", 165_s,
               kWorkedOn, 2, 0},
        CutRow{"head_inwards",
               KIND("head_worker_partition", "node:p-1") R"(, "direction": "inwards")", "", 0,
               kNothing, 1, 0},
        // Everybody against the heads. All four live on from 165: at 200 they save, and storage
        // turns them away, or does not.
        CutRow{"head_and_pool", KIND("head_worker_partition", "pool:p"), "", 165_s,
               kWorkedOnAndWaited, 2, 4 * 35_s},
        CutRow{"head_and_pool_unfenced", KIND("head_worker_partition", "pool:p"),
               R"("cluster": {"fencing": false},)", 165_s, kWorkedOnAndWaited, 2, 4 * 46_s},
        CutRow{"link_of_the_head", KIND("head_worker_partition", "link:head-0/core"), "", 165_s,
               kWorkedOnAndWaited, 2, 4 * 35_s},
        // Messages from it are lost: nobody polls, but all heartbeats come.
        CutRow{"link_of_the_head_outwards",
               KIND("head_worker_partition", "link:head-0/core") R"(, "direction": "outwards")", "",
               0, kNothing, 1, 0},
        // Messages to it are lost: the nodes are silent, and end when they are told to.
        CutRow{"link_of_the_head_inwards",
               KIND("head_worker_partition", "link:head-0/core") R"(, "direction": "inwards")", "",
               165_s, kWorkedOnAndWaited, 2, 0},
        CutRow{"all_of_the_head", KIND("partition", "link:head-0/core"), "", 165_s,
               kWorkedOnAndWaited, 2, 4 * 35_s},
        // A pool against all the rest is whole in itself, and so is a rack of all its nodes. With
        // no storage in this cluster their saves go to disks of their own, behind the same cut.
        CutRow{"pool", KIND("partition", "pool:p"), "", 165_s, kWorkedOnAndWaited, 2, 4 * 35_s},
        CutRow{"uplink", KIND("partition", "link:p/0/p"), "", 165_s, kWorkedOnAndWaited, 2,
               4 * 35_s},
        // A switch leaves none of its nodes a way to another.
        CutRow{"switch", KIND("partition", "switch:p/0"), "", 165_s,
               Buckets{{"productive", 950_s},
                       {"rolled_back", 51_s},
                       {"undetected", 14_s},
                       {"waiting_for_capacity", 46_s}},
               2, 4 * 46_s},
        // Down 151..155, 165..169, 179..183: never for three heartbeats.
        CutRow{
            "flap",
            R"("kind": "link_flap", "target": "node:p-1", "times": 3, "down": "4s", "up": "10s")",
            "", 0, Buckets{{"productive", 950_s}, {"undetected", 12_s}}, 1, 0},
        // Once for 15 s: declared dead at 165 and back at 166, when the next attempt has begun.
        CutRow{"long_flap",
               R"("kind": "link_flap", "target": "node:p-1", "times": 1, "down": "15s")", "", 165_s,
               kStoodStill, 2, 2 * 1_s}),
    [](const testing::TestParamInfo<CutRow>& row) { return row.param.name; });

// Inwards with a collective that times out at 181, in the round 180..182: the next one, 184..186,
// shows it. Teardown to 191. The cluster knows nothing against p-1, so the new start is placed
// there again and stands still until it hears of it, at 211. The workers that were left had given
// up at 181.
TEST(Partition, InwardsTheCollectiveSeesItFirst) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1},
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "collective_timeout": "30s"},
    "faults": [{"kind": "one_way_partition", "direction": "inwards", "target": "node:p-1",
                "at": "151s", "lasts": "60s"}]})");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 35_s + 20_s},
                                   {"tearing_down", 5_s}}));
  EXPECT_EQ(run.job()["attempts"], 2);
  EXPECT_EQ(run.job()["stale_accelerator_us"], 0);
  EXPECT_EQ(run.used("max_failures"), 1);
}

// With a detection of 10 s the next poll after 161, at 162, gives p-1 up, although its heartbeats
// come, and its workers with it. The job has no other node, so it waits until the network
// is whole, at 211: then p-1 is as good as any. Its two workers wait in their collective until
// then.
TEST(Partition, InwardsANodeThatWasGivenUpIsGoodAgainWhenItHears) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false},
            "detection": {"fixed": "10s"}},
    "faults": [{"kind": "one_way_partition", "direction": "inwards", "target": "node:p-1",
                "at": "151s", "lasts": "60s"}]})");
  EXPECT_EQ(run.summary["verdict"], "passed");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 11_s},
                                   {"waiting_for_capacity", 49_s}}));
  EXPECT_EQ(run.detected(), 162_s);
  EXPECT_EQ(run.job()["stale_accelerator_us"], 2 * 49_s);
  // From 162, when its job gives it back, to 211.
  EXPECT_EQ(run.summary["cluster"]["idle_us"]["isolated"], 49_s);
}

// A cut inwards of 60 s inside one outwards of 100 s, of a node that is taken for dead at 165: it
// is one as long as nobody hears it, until 251.
TEST(Partition, WhoHearsAgainIsTakenForDeadWhileItIsSilent) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "one_way_partition", "direction": "outwards", "target": "node:p-1",
                "at": "151s", "lasts": "100s"},
               {"kind": "one_way_partition", "direction": "inwards", "target": "node:p-1",
                "at": "152s", "lasts": "60s"}]})");
  EXPECT_EQ(run.summary["verdict"], "passed");
  EXPECT_EQ(run.detected(), 165_s);
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 950_s},
                                   {"rolled_back", 51_s},
                                   {"undetected", 14_s},
                                   {"waiting_for_capacity", 86_s}}));
}

// p-1 loses everybody from 151 to 158, and the head alone until 164: from 158 on its gang is whole
// again and works on behind the cut. Nobody ever declares it dead.
TEST(Partition, PeersComeBackBeforeTheHead) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "head_worker_partition", "target": "node:p-1", "at": "151s", "lasts": "13s"},
               {"kind": "partition", "target": "node:p-1", "at": "151s", "lasts": "7s"}]})");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.ledger()["productive"], 950_s);
  EXPECT_EQ(run.ledger()["undetected"], 7_s);
}

// A save of 10 s that every rank takes part in: 100..110, then from 210 on. p-1 and storage are
// parted from 205 to 265: the save goes out at 265 and ends at 275. Its wait is the fault's.
TEST(Partition, FromStorageASaveWaits) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "job": {"steps": 29, "checkpoint": {"every": "100s", "bytes": "1GB", "at_end": false}},
    "faults": [{"id": "cut", "kind": "worker_storage_partition", "target": "node:p-1", "at": "205s",
                "lasts": "60s"}]})");
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.ledger()["productive"], 290_s);
  EXPECT_EQ(run.ledger()["checkpoint_blocking"], 10_s + 65_s);
  EXPECT_EQ(run.faults("worker_storage_partition"), "fired 1 masked 0 detected 0");
}

}  // namespace
}  // namespace aftershock::sim::world
