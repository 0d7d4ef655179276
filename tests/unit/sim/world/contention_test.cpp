// Two jobs and one storage: weighted fair shares by hand, to the microsecond. Job a has three nodes
// and job b one, so of 100 MB/s a gets 75 and b 25 while both move data.

#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

// First saves, from 100 s: a's 3 GB at 75 MB/s end at 140; b then has 2 GB left, at 100 MB/s to
// 160. Second saves: a alone from 240, 2 GB through at 260 when b begins; 1 GB at 75 MB/s is
// 13.333333 s, and the end falls into the next microsecond, 273.333334. b has all of its 6 GB - the
// storage was busy from 240 on - at 300. Polls at even seconds take the report, then see the end.
TEST(WorldContention, TwoJobsThatSaveAtOnceShareByWeight) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 4},
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "jobs": [{"name": "a", "workers": 6, "steps": 20,
              "checkpoint": {"every": "100s", "bytes": "3GB"}},
             {"name": "b", "workers": 2, "steps": 20,
              "checkpoint": {"every": "100s", "bytes": "3GB"}}]})");
  EXPECT_EQ(run.ledger(0), (Buckets{{"productive", 200_s},
                                    {"checkpoint_blocking", 40_s + 33'333'334},
                                    {"finalizing", 276_s - 273'333'334}}));
  EXPECT_EQ(run.ledger(1),
            (Buckets{{"productive", 200_s}, {"checkpoint_blocking", 100_s}, {"finalizing", 2_s}}));
}

// Both begin at 100 s. At 110.000001 a loses a node, and its upload with it: b has moved
// 250,000,025 bytes and the other 2,749,999,975 at 100 a microsecond take 27,499,999.75: to
// 137,500,001. a is declared short of a node at 125 and goes on from zero on the spare; its save
// of 225 has the storage for itself: 30 s. The polls of its second attempt fall on odd seconds.
TEST(WorldContention, OneLosesANodeInMidUpload) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 4, "spares": 1},
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "jobs": [{"name": "a", "workers": 6, "steps": 10,
              "checkpoint": {"every": "100s", "bytes": "3GB"}},
             {"name": "b", "workers": 2, "steps": 10,
              "checkpoint": {"every": "100s", "bytes": "3GB"}}],
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "110000001us"}]})");
  EXPECT_EQ(run.ledger(1), (Buckets{{"productive", 100_s},
                                    {"checkpoint_blocking", 37'500'001},
                                    {"finalizing", 140_s - 137'500'001}}));
  EXPECT_EQ(run.ledger(0), (Buckets{{"productive", 100_s},
                                    {"rolled_back", 100_s},
                                    {"checkpoint_blocking", 10'000'001 + 30_s},
                                    {"undetected", 125_s - 110'000'001},
                                    {"finalizing", 2_s}}));
  EXPECT_EQ(run.wall(0), 257_s);
  EXPECT_EQ(run.wall(1), 140_s);
}

// A NIC of 10 MB/s holds a to 30 MB/s, so b gets 70: b's 3 GB are through 42.857143 s after 100;
// a's at 200.
TEST(WorldContention, WhatOneCannotUseGoesToTheOther) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 3, "nic": "10MB/s"},
    "cluster": {"pools": [{"name": "p", "nodes": 3, "nic": "10MB/s",
                           "accelerators": {"per_node": 2}},
                          {"name": "q", "nodes": 1, "accelerators": {"per_node": 2}}],
                "storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "jobs": [{"name": "a", "workers": 6, "steps": 10,
              "checkpoint": {"every": "100s", "bytes": "3GB"}},
             {"name": "b", "pool": "q", "workers": 2, "steps": 10,
              "checkpoint": {"every": "100s", "bytes": "3GB"}}]})");
  EXPECT_EQ(run.ledger(0)["checkpoint_blocking"], 100_s);
  EXPECT_EQ(run.ledger(1)["checkpoint_blocking"], 42'857'143);
}

// Reading and writing do not disturb each other: b restores 3 GB at 100 MB/s (30 s) from 132 on
// while a, submitted at 55, saves from 155 to 185.
TEST(WorldContention, ReadsAndWritesAreApart) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 4},
    "cluster": {"storage": [{"name": "s", "read": "100MB/s", "write": "100MB/s"}]},
    "jobs": [{"name": "b", "workers": 2, "steps": 14,
              "checkpoint": {"every": "50s", "bytes": "3GB", "upload": "async",
                             "at_end": false}},
             {"name": "a", "workers": 6, "steps": 10, "submit": "55s",
              "checkpoint": {"every": "100s", "bytes": "3GB"}}],
    "faults": [{"kind": "worker_crash", "target": "job:b/rank:0", "at": "131s"}]})");
  // b: saves of 50 and 100 are through at 80 and 130. It breaks at 131, runs again at 132 from 100
  // and has restored at 162; at 202 it is done.
  EXPECT_EQ(
      run.ledger(0),
      (Buckets{
          {"productive", 140_s}, {"rolled_back", 31_s}, {"undetected", 1_s}, {"restoring", 30_s}}));
  EXPECT_EQ(run.ledger(1)["checkpoint_blocking"], 30_s);
}

}  // namespace
}  // namespace aftershock::sim::world
