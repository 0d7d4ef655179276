// Storages that are out or slow. Work of 290 s from 0 on, a save of 10 s after every 100 s of it:
// 100..110, 210..220; polls at even seconds.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

struct StorageRow {
  const char* name;
  const char* fault;
  const char* job;  ///< its difference from the others
  Buckets ledger;
  std::int64_t failures;
};

void PrintTo(const StorageRow& row, std::ostream* out) { *out << row.name; }

class StorageFaults : public testing::TestWithParam<StorageRow> {};

TEST_P(StorageFaults, CostWhatTheyCost) {
  const StorageRow& row = GetParam();
  const Outcomes run = simulated(fmt::format(
      R"({{"cluster": {{"storage": [{{"name": "s", "read": "100MB/s", "write": "100MB/s"}}]}},
           "job": {{"steps": 29, "checkpoint": {{"every": "100s", "bytes": "1GB", "at_end": false
                    {}}}}},
           "faults": [{}]}})",
      row.job, row.fault));
  EXPECT_EQ(run.ledger(), row.ledger);
  EXPECT_EQ(run.used("max_failures"), row.failures);
}

#define OUTAGE(at, lasts) \
  R"({"kind": "storage_outage", "target": "storage:s", "at": ")" at R"(", "lasts": ")" lasts R"("})"
#define FAILING(at, lasts)                                                               \
  R"({"kind": "storage_outage", "target": "storage:s", "transfers": "fail", "at": ")" at \
  R"(", "lasts": ")" lasts R"("})"
#define SLOW(at, factor, lasts)                                                            \
  R"({"kind": "slow_storage", "target": "storage:s", "factor": )" factor R"(, "at": ")" at \
  R"(", "lasts": ")" lasts R"("})"
#define CRASH(at) R"({"kind": "worker_crash", "target": "job:a/rank:0", "at": ")" at R"("})"

INSTANTIATE_TEST_SUITE_P(
    ByHand, StorageFaults,
    testing::Values(
        // Of the save of 100..110 a half is lost; all of it goes out from 135 to 145.
        StorageRow{
            "SaveWaits", OUTAGE("105s", "30s"), "",
            Buckets{
                {"productive", 290_s}, {"checkpoint_blocking", 45_s + 10_s}, {"finalizing", 1_s}},
            0},
        // Behind training nobody waits: 105..135 out, 135..145 saved, the next save at 200.
        StorageRow{"SaveBehindTrainingWaits", OUTAGE("105s", "30s"), R"(, "upload": "async")",
                   Buckets{{"productive", 290_s}}, 0},
        // It is out for so long that the save of 200 waits for the one of 100, which goes out from
        // 255 to 265. The second goes out behind training.
        StorageRow{
            "SaveWaitsForTheOneBefore", OUTAGE("105s", "150s"), R"(, "upload": "async")",
            Buckets{{"productive", 290_s}, {"checkpoint_blocking", 65_s}, {"finalizing", 1_s}}, 0},
        // Over before anybody saves.
        StorageRow{"NobodyMeetsIt", OUTAGE("111s", "30s"), "",
                   Buckets{{"productive", 290_s}, {"checkpoint_blocking", 20_s}}, 0},
        // Rank 0 raises at 151, seen at 152; its restore of 10 s waits from 152 until 180.
        StorageRow{"RestoreWaits", CRASH("151s") "," OUTAGE("140s", "40s"), "",
                   Buckets{{"productive", 290_s},
                           {"rolled_back", 41_s},
                           {"undetected", 1_s},
                           {"checkpoint_blocking", 20_s},
                           {"restoring", 38_s}},
                   1},
        // The same, with the outage in the middle of it: from 157 to 180.
        StorageRow{"RestoreBeginsAnew", CRASH("151s") "," OUTAGE("157s", "23s"), "",
                   Buckets{{"productive", 290_s},
                           {"rolled_back", 41_s},
                           {"undetected", 1_s},
                           {"checkpoint_blocking", 20_s},
                           {"restoring", 38_s}},
                   1},
        // Every rank raises at 105, seen at 106; from zero again, 100 s and 10 s.
        StorageRow{"SaveFails", FAILING("105s", "30s"), "",
                   Buckets{{"productive", 290_s},
                           {"rolled_back", 100_s},
                           {"undetected", 1_s},
                           {"checkpoint_blocking", 5_s + 20_s}},
                   1},
        // It raises at 100, as the save begins, which the poll of then sees.
        StorageRow{
            "SaveFailsAtOnce", FAILING("95s", "30s"), "",
            Buckets{{"productive", 290_s}, {"rolled_back", 100_s}, {"checkpoint_blocking", 20_s}},
            1},
        // Half as fast from 105 on: the other 500 MB take 10 s and not 5.
        StorageRow{
            "SlowUnderWay", SLOW("105s", "2", "100s"), "",
            Buckets{
                {"productive", 290_s}, {"checkpoint_blocking", 15_s + 10_s}, {"finalizing", 1_s}},
            0},
        // From 100 to 104 at 25 MB/s: 100 MB; the rest at 100 MB/s.
        StorageRow{
            "SlowForAWhile", SLOW("100s", "4", "4s"), "",
            Buckets{
                {"productive", 290_s}, {"checkpoint_blocking", 13_s + 10_s}, {"finalizing", 1_s}},
            0},
        // Two at once, 2 and 5 times: 10 MB/s from 102 to 112. 200 MB, 100 MB, then 50 MB/s.
        StorageRow{"SlowTwice", SLOW("102s", "2", "1h") "," SLOW("102s", "5", "10s"), "",
                   Buckets{{"productive", 290_s}, {"checkpoint_blocking", 26_s + 20_s}}, 0}),
    [](const testing::TestParamInfo<StorageRow>& row) { return row.param.name; });

// The restore raises again and again, until the outage is over or the job may fail no more: of 9
// failures that it may have, the tenth ends it.
TEST(StorageFault, RestoresFailUntilTheJobIsGivenUp) {
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "100MB/s", "write": "100MB/s"}]},
    "job": {"steps": 30, "checkpoint": {"every": "100s", "bytes": "1GB"}},
    "faults": [{"kind": "storage_outage", "target": "storage:s", "transfers": "fail", "at": "140s"},
               {"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"}]})");
  EXPECT_EQ(run.job()["outcome"], "failed");
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.used("max_failures"), 10);
}

// Three to one on 100 MB/s, 3 GB each from 100 on (contention_test.cpp): at 120 a has moved 1.5 GB
// and b 0.5 GB. Then half as fast: a's other 1.5 GB at 37.5 MB/s take 40 s, b has 2 GB left at 160,
// at 50 MB/s.
TEST(StorageFault, SlowWhileTwoShare) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 4},
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "jobs": [{"name": "a", "workers": 6, "steps": 10, "checkpoint": {"every": "100s", "bytes": "3GB"}},
             {"name": "b", "workers": 2, "steps": 10, "checkpoint": {"every": "100s", "bytes": "3GB"}}],
    "faults": [{"kind": "slow_storage", "target": "storage:s", "factor": 2, "at": "120s"}]})");
  EXPECT_EQ(run.ledger(0)["checkpoint_blocking"], 60_s);
  EXPECT_EQ(run.ledger(1)["checkpoint_blocking"], 100_s);
}

// An upload that failed is tried again after 0.8 to 1.2 s, at which a cut holds the job up: it is
// tried when that is over, by a job with a storage and by one without.
TEST(FailedUploads, AreTriedAgainWhenTheCutIsOver) {
  for (const char* storage :
       {"", R"("cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "1GB/s"}]},)"}) {
    const std::string bytes = *storage == '\0' ? "" : R"("bytes": "1GB", )";
    const Outcomes run = simulated(fmt::format(
        R"({{{} "job": {{"checkpoint": {{"every": "100s", {}"at_end": false}}}},
             "faults": [{{"kind": "upload_error", "target": "job:a/rank:0", "at": "50s",
                          "error": "AWS Error NETWORK_CONNECTION"}},
                        {{"kind": "partition", "target": "node:p-1", "at": "100500ms",
                          "lasts": "3s"}}]}})",
        storage, bytes));
    EXPECT_EQ(run.job()["outcome"], "completed") << storage;
    EXPECT_EQ(run.used("max_failures"), 0) << storage;
  }
}

}  // namespace
}  // namespace aftershock::sim::world
