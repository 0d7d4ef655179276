#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/sim/world/harness.h"

// Experiments whose driver is lost, and what the next one makes of what is in storage. Every number
// follows by hand from ray.md 3.4 and 3.5. Four trials run at a time, report every 10 s
// and would be done at 100 s; the head is lost at 35 s and back at 85 s; snapshots are those of 0,
// 10, 20 and 30 s.
namespace aftershock::sim::world {
namespace {

std::string lost_at_35s(const std::string& experiment, const std::string& fault = {}) {
  return R"({"cluster": {"heads": [{"name": "h", "restart": {"after": "50s"}}]}, "experiments": [)"
         R"({"run": {"storage_path": "/nfs", "name": "x"}, )" +
         experiment + "}], \"faults\": [" + fault +
         R"({"kind": "head_crash", "target": "head:h", "at": "35s"}]})";
}

constexpr const char* kRestores = R"("policy": {"config": {"restore": true}})";

// Each goes on from 30 s of work.
TEST(ExperimentDrivers, LeaveTheirTrialsWithoutAController) {
  const Outcomes run = simulated(lost_at_35s(kRestores));
  EXPECT_EQ(
      run.trials_ledger(),
      (Buckets{{"productive", 400_s}, {"rolled_back", 4 * 5_s}, {"controller_down", 4 * 50_s}}));
  EXPECT_EQ(run.experiment().at("wall_us"), 155_s);
  EXPECT_EQ(run.trial(0), "TERMINATED 10 failures 0 restored 1 lost 0 steps 5 s");
  EXPECT_EQ(run.experiment().at("lost_trials"), nlohmann::json::array());
}

// Two at a time and two iterations each: those that are left are the third and the fourth.
TEST(ExperimentDrivers, LeaveOnlyTrialsThatWereWantedToRun) {
  const Outcomes run = simulated(lost_at_35s(
      R"("steps": 2, "policy": {"config": {"restore": true, "max_concurrent_trials": 2}})"));
  EXPECT_EQ(
      run.trials_ledger(),
      (Buckets{{"productive", 80_s}, {"rolled_back", 2 * 5_s}, {"controller_down", 2 * 50_s}}));
  EXPECT_EQ(run.experiment().at("wall_us"), 95_s);
}

TEST(ExperimentDrivers, ThatNeverComeBackAreNotWaitedFor) {
  const Outcomes run =
      simulated(R"({"experiments": [{}], "faults": [)"
                R"({"kind": "head_crash", "target": "head:head-0", "at": "35s"}]})");
  EXPECT_EQ(run.experiment().at("outcome"), "failed");
  EXPECT_EQ(run.trials_ledger(), (Buckets{{"productive", 4 * 30_s}, {"rolled_back", 4 * 5_s}}));
}

// The only snapshot is that of 0 s, with two trials that have done nothing. Both had finished and
// are done again, 20 s each; the others are made anew, and lose 15 s of work each.
TEST(ExperimentDrivers, LoseAllWorkOfTrialsThatNoSnapshotKnows) {
  const Outcomes run = simulated(
      lost_at_35s(R"("steps": 2, "env": {"TUNE_GLOBAL_CHECKPOINT_S": "3600"},)"
                  R"("policy": {"config": {"restore": true, "max_concurrent_trials": 2}})"));
  EXPECT_EQ(run.experiment().at("lost").at("steps"), 2 * 2 + 2 * 1);
  EXPECT_EQ(run.experiment().at("lost").at("us"), 2 * 20_s + 2 * 15_s);
  EXPECT_EQ(run.experiment().at("lost_trials"), (nlohmann::json{"trial:2", "trial:3"}));
  EXPECT_EQ(run.trials_ledger(),
            (Buckets{{"productive", 80_s}, {"rolled_back", 70_s}, {"controller_down", 2 * 50_s}}));
  EXPECT_EQ(run.experiment().at("wall_us"), 125_s);
}

constexpr const char* kTorn = R"({"kind": "torn_snapshot", "target": "experiment:x", "at": )";

// The snapshot of 30 s is written over the one that was torn.
TEST(ExperimentDrivers, FindASnapshotWholeThatWasWrittenAfterItWasTorn) {
  const Outcomes run = simulated(lost_at_35s(kRestores, std::string(kTorn) + "\"22s\"},"));
  EXPECT_EQ(run.experiment().at("statuses").at("TERMINATED"), 4);
  EXPECT_EQ(run.experiment().at("wall_us"), 155_s);
}

// No other follows it: one trial begins afresh, and of all four the 35 s are lost, of which 30 s
// were three iterations.
TEST(ExperimentDrivers, BeginAfreshOverATornSnapshot) {
  const Outcomes run = simulated(lost_at_35s(kRestores, std::string(kTorn) + "\"31s\"},"));
  EXPECT_EQ(run.experiment().at("statuses").at("TERMINATED"), 1);
  EXPECT_EQ(run.experiment().at("lost").at("steps"), 4 * 3);
  EXPECT_EQ(
      run.trials_ledger(),
      (Buckets{{"productive", 100_s}, {"rolled_back", 4 * 35_s}, {"controller_down", 4 * 50_s}}));
  EXPECT_EQ(run.experiment().at("wall_us"), 185_s);
}

// Storage is as it was: lost are the 5 s since then.
TEST(ExperimentDrivers, ThatRefuseToRestoreLoseNothingOfIt) {
  const Outcomes run = simulated(
      lost_at_35s(R"("policy": {"config": {"trainable": "a", "restore": {"trainable": "b"}}})"));
  EXPECT_EQ(run.experiment().at("outcome"), "failed");
  EXPECT_EQ(run.experiment().at("wall_us"), 85_s);
  EXPECT_EQ(run.experiment().at("lost").at("us"), 4 * 5_s);
}

// Another name for every driver: there is nothing to restore.
TEST(ExperimentDrivers, FindNothingUnderAFreshName) {
  const Outcomes run = simulated(lost_at_35s(
      R"("run": {"storage_path": "/nfs", "name": "x-{uuid}"}, "policy": {"config": {"restore": true}})"));
  EXPECT_EQ(run.summary["driver_runs"][1]["run"], "/nfs/x-00000002");
  EXPECT_EQ(run.summary["driver_runs"][1]["found"], "nothing");
  EXPECT_EQ(run.experiment().at("restores"), nlohmann::json::array());
  EXPECT_EQ(run.experiment().at("lost").at("us"), 4 * 35_s);
  EXPECT_EQ(run.experiment().at("wall_us"), 185_s);
}

constexpr const char* kThreeInterrupted =
    R"({"faults": [{"kind": "user_interrupt", "target": "experiment:x", "at": "35s"}], )"
    R"("experiments": [{"trials": 3, "run": {"storage_path": "/nfs", "name": "x"})";

// The snapshot of the interrupt has all three after 30 s: one that submits one trial takes up all.
TEST(ExperimentDrivers, TakeUpMoreTrialsThanTheySubmit) {
  const Outcomes run = simulated(
      std::string(kThreeInterrupted) +
      R"(}, {"name": "y", "submit": "100s", "trials": 1, "run": {"storage_path": "/nfs", "name": "x"},)"
      R"("policy": {"config": {"restore": true}}}]})");
  EXPECT_EQ(run.experiment(1).at("outcome"), "completed");
  EXPECT_EQ(run.experiment(1).at("statuses").at("TERMINATED"), 3);
  EXPECT_EQ(run.experiment(1).at("restores").at(0).at("trials"), 3);
  EXPECT_EQ(run.experiment(1).at("attempts"), 3);
  EXPECT_EQ(run.experiment(1).at("wall_us"), 70_s);
}

// The snapshot knows of the first alone, and of how many there are to be: the others are made by
// the one that restores it, one after the other. 70 s of the first, and 100 s of each other.
TEST(ExperimentDrivers, MakeTheTrialsThatWereStillToBeMade) {
  const Outcomes run = simulated(
      std::string(kThreeInterrupted) +
      R"(, "policy": {"config": {"max_concurrent_trials": 1}}}, {"name": "y", "submit": "100s",)"
      R"("trials": 1, "run": {"storage_path": "/nfs", "name": "x"},)"
      R"("policy": {"config": {"restore": true, "max_concurrent_trials": 1}}}]})");
  EXPECT_EQ(run.experiment(1).at("outcome"), "completed");
  EXPECT_EQ(run.experiment(1).at("statuses").at("TERMINATED"), 3);
  EXPECT_EQ(run.experiment(1).at("restores").at(0).at("trials"), 1);
  EXPECT_EQ(run.experiment(1).at("wall_us"), 270_s);
}

// Two have done their two iterations when the user stops the others after one of them. The script
// that restores wants five: those go on to five, and the finished ones stay at two.
TEST(ExperimentDrivers, RunTheirOwnScriptForWhatWasNotFinished) {
  const Outcomes run = simulated(
      R"({"faults": [{"kind": "user_interrupt", "target": "experiment:x", "at": "35s"}],)"
      R"("experiments": [{"steps": 2, "run": {"storage_path": "/nfs", "name": "x"}, )"
      R"("policy": {"config": {"max_concurrent_trials": 2}}}, {"name": "y", "submit": "100s", )"
      R"("steps": 5, "run": {"storage_path": "/nfs", "name": "x"}, )"
      R"("policy": {"config": {"restore": true}}}]})");
  EXPECT_EQ(run.experiment(1).at("statuses").at("TERMINATED"), 4);
  EXPECT_EQ(run.experiment(1).at("attempts"), 2);
  EXPECT_EQ(run.experiment(1).at("trials").at(0).at("iterations"), 2);
  EXPECT_EQ(run.experiment(1).at("trials").at(2).at("iterations"), 5);
  EXPECT_EQ(run.experiment(1).at("trials").at(3).at("iterations"), 5);
  EXPECT_EQ(run.experiment(1).at("wall_us"), 40_s);
}

// A V1 run with a checkpoint at 100 s loses its head at 165 s, after 16 steps; its snapshots are
// those of 0, 10, ..., 160 s.
std::string v1_lost_at_165s(const std::string& torn_at) {
  return R"({"cluster": {"heads": [{"name": "h", "restart": {"after": "50s"}}]}, "job": {)"
         R"("checkpoint": {"every": "100s"}, "run": {"storage_path": "/nfs", "name": "a"}, "policy":)"
         R"({"name": "ray_train_v1", "config": {"restore": true}}}, "faults": [)"
         R"({"kind": "torn_snapshot", "target": "job:a", "at": ")" +
         torn_at + R"("}, {"kind": "head_crash", "target": "head:h", "at": "165s"}]})";
}

TEST(V1Drivers, FindASnapshotWholeThatWasWrittenAfterItWasTorn) {
  const Outcomes whole = simulated(v1_lost_at_165s("152s"));
  EXPECT_EQ(whole.job()["outcome"], "completed");
  EXPECT_EQ(whole.job()["lost"]["steps"], 6);
  const Outcomes torn = simulated(v1_lost_at_165s("161s"));
  EXPECT_EQ(torn.job()["outcome"], "completed");
  EXPECT_EQ(torn.job()["lost"]["steps"], 16);
  EXPECT_EQ(torn.summary["driver_runs"][1]["found"], "a torn snapshot");
}

}  // namespace
}  // namespace aftershock::sim::world
