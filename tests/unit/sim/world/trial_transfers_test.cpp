#include "tests/unit/sim/world/felt_by_trials.h"

// Trials feel storages that are out of order or slow, and cuts.
namespace aftershock::sim::world {
namespace {

const Felt kTransferRows[] = {
    // Computed at 10 s and written at 11 s, they wait for 4 s.
    {"a storage outage, computing: the save waits",
     kWithStorage,
     "{}",
     R"([{"kind": "storage_outage", "target": "storage:s", "at": "5s", "lasts": "10s"}])",
     kWellFour,
     kWellFour,
     kWellFour,
     68_s,
     {{"productive", 160_s}, {"checkpoint_blocking", 112_s}}},
    // 2 s of upload are worth nothing, and 4 s they wait.
    {"a storage outage, uploading: it begins anew",
     kWithStorage,
     "{}",
     R"([{"kind": "storage_outage", "target": "storage:s", "at": "13s", "lasts": "4s"}])",
     kWellFour,
     kWellFour,
     kWellFour,
     70_s,
     {{"productive", 160_s}, {"checkpoint_blocking", 120_s}}},
    // They raise at 14 s, 4 s after they had computed, and begin from nothing.
    {"a storage that fails, uploading: it raises a second later",
     kWithStorage,
     "{}",
     R"([{"kind": "storage_outage", "target": "storage:s", "at": "13s", "lasts": "4s",
          "transfers": "fail"}])",
     "TERMINATED 4 failures 1 restored 0 lost 0 steps 10 s",
     "TERMINATED 4 failures 1 restored 0 lost 0 steps 10 s",
     "TERMINATED 4 failures 1 restored 0 lost 0 steps 10 s",
     78_s,
     {{"productive", 160_s}, {"rolled_back", 40_s}, {"checkpoint_blocking", 112_s}}},
    // 2 s of the second iteration are lost at 18 s. The load begins anew at 22 s, for 2 s.
    {"a storage outage, restoring: the load waits",
     kWithStorage,
     "{}",
     R"({"kind": "storage_outage", "target": "storage:s", "at": "19s", "lasts": "3s"})",
     "TERMINATED 4 failures 1 restored 1 lost 0 steps 2 s",
     kWellFour,
     kWellFour,
     72_s,
     {{"productive", 160_s},
      {"rolled_back", 2_s},
      {"restoring", 6_s},
      {"checkpoint_blocking", 96_s}}},
    // It raises at 20 s, and that counts; the third attempt loads until 22 s.
    {"a storage that fails, restoring: charged as a failure to load",
     kWithStorage,
     "{}",
     R"({"kind": "storage_outage", "target": "storage:s", "at": "19s", "lasts": "500ms",
         "transfers": "fail"})",
     "TERMINATED 4 failures 2 restored 1 lost 0 steps 2 s",
     kWellFour,
     kWellFour,
     70_s,
     {{"productive", 160_s},
      {"rolled_back", 2_s},
      {"restoring", 4_s},
      {"checkpoint_blocking", 96_s}}},

    // 40 MB until 13 s, 40 MB at half the speed until 17 s, the rest by 18 s.
    {"a slow storage, uploading",
     kWithStorage,
     "{}",
     R"([{"kind": "slow_storage", "target": "storage:s", "at": "13s", "lasts": "4s",
          "factor": 2}])",
     kWellFour,
     kWellFour,
     kWellFour,
     66_s,
     {{"productive", 160_s}, {"checkpoint_blocking", 104_s}}},
    // Iterations of 10 + 1 + 10 s.
    {"a slow storage, computing: all saves are slow",
     kWithStorage,
     "{}",
     R"([{"kind": "slow_storage", "target": "storage:s", "at": "5s", "factor": 2}])",
     kWellFour,
     kWellFour,
     kWellFour,
     84_s,
     {{"productive", 160_s}, {"checkpoint_blocking", 176_s}}},
    // 50 MB until 19 s, the other 50 MB by 21 s; 48 s are left.
    {"a slow storage, restoring",
     kWithStorage,
     "{}",
     R"({"kind": "slow_storage", "target": "storage:s", "at": "19s", "lasts": "2s", "factor": 2})",
     "TERMINATED 4 failures 1 restored 1 lost 0 steps 2 s",
     kWellFour,
     kWellFour,
     69_s,
     {{"productive", 160_s},
      {"rolled_back", 2_s},
      {"restoring", 3_s},
      {"checkpoint_blocking", 96_s}}},

    // Of p-1 alone: 2 s of upload are worth nothing, and 4 s its trials wait.
    {"a cut from the storage, uploading",
     kWithStorage,
     "{}",
     R"([{"kind": "worker_storage_partition", "target": "node:p-1", "at": "13s", "lasts": "4s"}])",
     kWellFour,
     kWellFour,
     kWellFour,
     70_s,
     {{"productive", 160_s}, {"checkpoint_blocking", 108_s}}},
    {"a cut from all, uploading: one missed heartbeat",
     kWithStorage,
     "{}",
     R"([{"kind": "partition", "target": "node:p-1", "at": "13s", "lasts": "4s"}])",
     kWellFour,
     kWellFour,
     kWellFour,
     70_s,
     {{"productive", 160_s}, {"checkpoint_blocking", 108_s}}},
    // Dead at 25 s, having waited since 13 s; on the spare they begin from nothing.
    {"a cut from all, uploading: the node is declared dead",
     kWithStorage,
     R"({"pool": {"spares": 1}})",
     R"([{"kind": "partition", "target": "node:p-1", "at": "13s", "lasts": "1h"}])",
     kWellFour,
     "TERMINATED 4 failures 1 restored 0 lost 0 steps 10 s",
     "TERMINATED 4 failures 1 restored 0 lost 0 steps 10 s",
     89_s,
     {{"productive", 160_s}, {"rolled_back", 20_s}, {"checkpoint_blocking", 126_s}}},
    // The upload ends at 16 s, and its report gets through at 17 s.
    {"a cut from the head, uploading: the save goes on",
     kWithStorage,
     "{}",
     R"([{"kind": "head_worker_partition", "target": "node:p-1", "at": "13s", "lasts": "4s"}])",
     kWellFour,
     kWellFour,
     kWellFour,
     65_s,
     {{"productive", 160_s}, {"undetected", 2_s}, {"checkpoint_blocking", 96_s}}},

};

class StorageOrCutTrouble : public testing::TestWithParam<Felt> {};

TEST_P(StorageOrCutTrouble, FelT) { expect_felt(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Faults, StorageOrCutTrouble, testing::ValuesIn(kTransferRows));

TEST(StorageTroubleOfTrials, LeavesTrialsAloneThatMoveNoBytes) {
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "50MB/s", "write": "20MB/s"}]},
    "experiments": [{}],
    "faults": [{"kind": "storage_outage", "target": "storage:s", "at": "14s", "lasts": "1h"}]})");
  EXPECT_EQ(run.experiment().at("wall_us"), 100_s);
}

TEST(StorageTroubleOfTrials, HoldsATrialUpForGood) {
  const Outcomes run = simulated(R"({
    "until": "1h",
    "cluster": {"storage": [{"name": "s", "read": "50MB/s", "write": "20MB/s"}]},
    "experiments": [{"checkpoint": {"bytes": "100MB"}}],
    "faults": [{"id": "out", "kind": "storage_outage", "target": "storage:s", "at": "5s"}]})");
  EXPECT_EQ(run.summary.at("verdict"), "stuck");
  EXPECT_EQ(run.experiment().at("statuses").at("RUNNING"), 4);
}

TEST(StorageTroubleOfTrials, LetsNoEndlessRetryStandInTime) {
  // Trial 0 loads from 18 s on; the storage fails from 18.5 to 28.2 s. It raises at 19.5 s and
  // every second after that, the tenth time at 28.5 s: with the crash 11 failures.
  const Outcomes run = simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "50MB/s", "write": "20MB/s"}]},
    "experiments": [{"checkpoint": {"bytes": "100MB", "blocking": "1s"}, "steps": 4,
                     "policy": {"config": {"max_failures": -1}}}],
    "faults": [
      {"kind": "worker_crash", "target": "experiment:x/trial:0", "at": "18s"},
      {"kind": "storage_outage", "target": "storage:s", "at": "18500ms", "lasts": "9700ms",
       "transfers": "fail"}]})");
  EXPECT_EQ(run.trial(0), "TERMINATED 4 failures 11 restored 1 lost 0 steps 2 s");
}

}  // namespace
}  // namespace aftershock::sim::world
