#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "tests/unit/sim/world/harness.h"

// Experiments: where trials run, what faults do to them, and where their time goes. Every number
// follows by hand from ray.md 3 and the scenario; the base experiment's four trials fill
// its two nodes, two each, and report every 10 s.
namespace aftershock::sim::world {
namespace {

TEST(Experiments, FillTheirNodesAndEnd) {
  const Outcomes run = simulated(R"({"experiments": [{}]})");
  EXPECT_EQ(run.experiment().at("outcome"), "completed");
  EXPECT_EQ(run.experiment().at("wall_us"), 100_s);
  EXPECT_EQ(run.experiment().at("statuses").at("TERMINATED"), 4);
  EXPECT_EQ(run.trials_ledger(), (Buckets{{"productive", 400_s}}));
  EXPECT_EQ(run.experiment().at("attempts"), 4);
}

struct Packing {
  const char* what;
  const char* patch;
  std::int64_t wall_us;
  std::int64_t waiting_us;
  std::int64_t productive_accelerator_us;
};

// 8 trials of 10 steps of 10 s on 2 nodes with 2 accelerators each.
const Packing kPackings[] = {
    {"one accelerator each: four at a time", R"({"resources_per_trial": {"accelerators": 1}})",
     200_s, 400_s, 800_s},
    {"half of one: all at a time", R"({"resources_per_trial": {"accelerators": 0.5}})", 100_s, 0,
     400_s},
    {"0.4 of one: two on an accelerator, none across", R"({"resources_per_trial":
      {"accelerators": 0.4}})",
     100_s, 0, 320_s},
    {"0.3 of one: three on an accelerator", R"({"trials": 13, "resources_per_trial":
      {"accelerators": 0.3}})",
     200_s, 100_s, 390_s},
    {"a quarter of a node is half an accelerator", R"({"resources_per_trial": {"nodes": 0.25}})",
     100_s, 0, 400_s},
    {"a node each: two at a time", R"({"resources_per_trial": {"nodes": 1}})", 400_s, 1'200_s,
     1'600_s},
    {"both nodes: one at a time", R"({"resources_per_trial": {"accelerators": 4}})", 800_s, 2'800_s,
     3'200_s},
    {"two at a time by the policy: nobody waits", R"({"policy": {"name": "ray_tune", "config":
      {"max_concurrent_trials": 2}}})",
     400_s, 0, 800_s},
};

class Packings : public testing::TestWithParam<Packing> {};

TEST_P(Packings, TakeTheirTime) {
  const Packing& packing = GetParam();
  SCOPED_TRACE(packing.what);
  const nlohmann::json patch = policies::json_from_text(packing.patch);
  nlohmann::json experiment{{"trials", 8}};
  experiment.merge_patch(patch);
  const Outcomes run =
      simulated(policies::text_from_json(nlohmann::json{{"experiments", {experiment}}}));
  EXPECT_EQ(run.experiment().at("wall_us"), packing.wall_us);
  const Buckets ledger = run.trials_ledger();
  const auto waiting = ledger.find("waiting_for_capacity");
  EXPECT_EQ(waiting == ledger.end() ? 0 : waiting->second, packing.waiting_us);
  EXPECT_EQ(run.experiment().at("ledger_accelerator_us").at("productive"),
            packing.productive_accelerator_us);
}

INSTANTIATE_TEST_SUITE_P(Resources, Packings, testing::ValuesIn(kPackings));

TEST(Experiments, SaveAndLoadAtWhatLinksAndStorageLetThrough) {
  // 100 MB at 10 MB/s of the link: 10 s beside the second of the save itself. The crash at 50 s
  // finds the third iteration of trial 0 computing since 42 s: it loads for 10 s and begins it
  // again, 8 s later than it was.
  const Outcomes run = simulated(R"({
    "pool": {"nic": "10MB/s"},
    "cluster": {"storage": [{"name": "s", "read": "50MB/s", "write": "40MB/s"}]},
    "experiments": [{"checkpoint": {"bytes": "100MB", "blocking": "1s"}, "steps": 4}],
    "faults": [{"kind": "worker_crash", "target": "experiment:x/trial:0", "at": "50s"}]})");
  EXPECT_EQ(run.trial(0), "TERMINATED 4 failures 1 restored 1 lost 0 steps 8 s");
  EXPECT_EQ(run.trial(1), "TERMINATED 4 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 84_s + 8_s + 10_s);
  EXPECT_EQ(run.trials_ledger(), (Buckets{{"productive", 160_s},
                                          {"rolled_back", 8_s},
                                          {"checkpoint_blocking", 16 * 11_s},
                                          {"restoring", 10_s}}));
}

TEST(Experiments, CountDrawnPhasesOnlyWhereTheyAre) {
  const Outcomes run = simulated(R"({
    "experiments": [{"phases": {"launching": "5s", "restoring": "3s"}}],
    "faults": [{"kind": "worker_crash", "target": "experiment:x/trial:2", "at": "27s"}]})");
  // Two iterations are over at 25 s: 2 s are lost, and it starts again in 8 s.
  EXPECT_EQ(run.trial(2), "TERMINATED 10 failures 1 restored 1 lost 0 steps 2 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 105_s + 2_s + 8_s);
  EXPECT_EQ(
      run.trials_ledger(),
      (Buckets{
          {"productive", 400_s}, {"rolled_back", 2_s}, {"launching", 25_s}, {"restoring", 3_s}}));
}

TEST(Experiments, LoseANodeWhenItsHeartbeatsStayAway) {
  // Silent since 33 s: beats at 35, 40 and 45 s stay away. Both trials of the node had three
  // iterations; they go on on the spare.
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "experiments": [{}],
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "33s"}]})");
  EXPECT_EQ(run.trial(2), "TERMINATED 10 failures 1 restored 1 lost 0 steps 3 s");
  EXPECT_EQ(run.trial(3), "TERMINATED 10 failures 1 restored 1 lost 0 steps 3 s");
  EXPECT_EQ(run.trial(0), "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 45_s + 70_s);
  EXPECT_EQ(run.trials_ledger(),
            (Buckets{{"productive", 400_s}, {"rolled_back", 6_s}, {"undetected", 24_s}}));
  EXPECT_EQ(run.experiment().at("budgets").at("max_failures").at("used"), 1);
}

TEST(Experiments, SeeAnAnnouncedDeathAtOnceAndForFree) {
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "experiments": [{"policy": {"config": {"max_failures": 0}}}],
    "faults": [{"kind": "preemption", "target": "node:p-1", "at": "3s", "notice": "30s"}]})");
  EXPECT_EQ(run.trial(2), "TERMINATED 10 failures 0 restored 1 lost 0 steps 3 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 33_s + 70_s);
  EXPECT_EQ(run.trials_ledger(), (Buckets{{"productive", 400_s}, {"rolled_back", 6_s}}));
}

TEST(Experiments, AskTheAutoscalerForWhatWaits) {
  // Both trials wait for the node that is there at 45 + 20 s.
  const Outcomes run = simulated(R"({
    "pool": {"replacement": "provision", "provision": "20s"}, "experiments": [{}],
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "33s"}]})");
  EXPECT_EQ(run.experiment().at("wall_us"), 65_s + 70_s);
  EXPECT_EQ(run.trials_ledger().at("waiting_for_capacity"), 40_s);
}

TEST(Experiments, LetTrialsThatWaitGoOnWhereOthersEnded) {
  // Nothing takes the place of the node, so its two trials wait for those of the other: till 100 s.
  const Outcomes run = simulated(R"({
    "experiments": [{}],
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "33s"}]})");
  EXPECT_EQ(run.experiment().at("wall_us"), 170_s);
  EXPECT_EQ(run.trials_ledger().at("waiting_for_capacity"), 110_s);
}

TEST(Experiments, StrikeAllTrialsOfAnAccelerator) {
  // Halves: trials 0 and 1 share p-0/0. The accelerator is out of order for 25 s, and with it the
  // node takes nobody; both others do not have room, so they wait.
  const Outcomes run = simulated(R"({
    "experiments": [{"trials": 8, "resources_per_trial": {"accelerators": 0.5}}],
    "faults": [{"kind": "accelerator_fault", "code": "xid:79", "target": "accelerator:p-0/0",
                "at": "14s", "lasts": "25s"}]})");
  EXPECT_EQ(run.trial(0), "TERMINATED 10 failures 1 restored 1 lost 0 steps 4 s");
  EXPECT_EQ(run.trial(1), "TERMINATED 10 failures 1 restored 1 lost 0 steps 4 s");
  EXPECT_EQ(run.trial(2), "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 39_s + 90_s);
  EXPECT_EQ(run.faults("accelerator_fault"), "fired 1 masked 0 detected 1");
}

TEST(Experiments, NeverSeeATrialThatHangs) {
  for (const char* fault :
       {R"("kind": "hang")", R"("kind": "worker_crash", "how": "error_without_exit")"}) {
    const Outcomes run = simulated(fmt::format(
        R"({{"until": "1h", "experiments": [{{}}],
             "faults": [{{{}, "target": "experiment:x/trial:1", "at": "14s"}}]}})",
        fault));
    EXPECT_EQ(run.summary.at("verdict"), "stuck") << fault;
    EXPECT_EQ(run.experiment().at("statuses").at("RUNNING"), 1) << fault;
    EXPECT_EQ(run.experiment().at("statuses").at("TERMINATED"), 3) << fault;
  }
}

TEST(Experiments, GoOnWithATrialWhoseHangEnds) {
  const Outcomes run = simulated(R"({
    "experiments": [{}],
    "faults": [{"kind": "hang", "target": "experiment:x/trial:1", "at": "14s", "lasts": "20s"}]})");
  EXPECT_EQ(run.trial(1), "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 120_s);
  EXPECT_EQ(run.trials_ledger(), (Buckets{{"productive", 400_s}, {"undetected", 20_s}}));
}

TEST(Experiments, HoldAReportBackThatCannotGetThrough) {
  // p-1 is cut off from 14 to 24 s, one heartbeat short of its death: its trials compute to the end
  // of their second iteration at 20 s, and report it at 24 s.
  const Outcomes run = simulated(R"({
    "experiments": [{}],
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "14s", "lasts": "10s"}]})");
  EXPECT_EQ(run.trial(2), "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 104_s);
  EXPECT_EQ(run.trials_ledger(), (Buckets{{"productive", 400_s}, {"undetected", 8_s}}));
}

TEST(Experiments, GiveACutOffTrialUpWhenItsNodeIsDeclaredDead) {
  // Silent since 14 s: dead at 25 s. One iteration had been reported; the 10 s since then that the
  // trials computed are lost.
  const Outcomes run = simulated(R"({
    "pool": {"spares": 1}, "experiments": [{}],
    "faults": [{"kind": "partition", "target": "node:p-1", "at": "14s", "lasts": "1h"}]})");
  EXPECT_EQ(run.trial(2), "TERMINATED 10 failures 1 restored 1 lost 0 steps 10 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 25_s + 90_s);
  EXPECT_EQ(run.trials_ledger(),
            (Buckets{{"productive", 400_s}, {"rolled_back", 20_s}, {"undetected", 10_s}}));
}

TEST(Experiments, PlaceATrialAnewThatWasSentToADeadNode) {
  // p-1 dies at 1 s, before anything is submitted; at 10 s trials 2 and 3 are sent there. It is
  // declared dead at 15 s, and they wait for the others: no process of theirs has failed.
  const Outcomes run = simulated(R"({
    "experiments": [{"submit": "10s"}],
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "1s"}]})");
  EXPECT_EQ(run.trial(2), "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 200_s);
  EXPECT_EQ(
      run.trials_ledger(),
      (Buckets{{"productive", 400_s}, {"undetected", 10_s}, {"waiting_for_capacity", 190_s}}));
}

TEST(Experiments, BreakOffTheStepThatAFaultWaitsFor) {
  // The third iteration is computed at 30 s and not reported: it is done again.
  const Outcomes run = simulated(R"({
    "experiments": [{}],
    "faults": [{"kind": "worker_crash", "target": "experiment:x/trial:0", "at_step": 3}]})");
  EXPECT_EQ(run.trial(0), "TERMINATED 10 failures 1 restored 1 lost 0 steps 10 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 110_s);
}

TEST(Experiments, GoOnAfterAStepThatHangsInEveryAttempt) {
  const Outcomes run = simulated(R"({
    "experiments": [{"checkpoint": {"blocking": "2s"}}],
    "faults": [{"kind": "hang", "target": "experiment:x/trial:0", "at_step": 3, "lasts": "5s",
                "every_attempt": true}]})");
  EXPECT_EQ(run.trial(0), "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 120_s + 5_s);
  EXPECT_EQ(run.trials_ledger().at("checkpoint_blocking"), 80_s);
}

TEST(Experiments, StrikeWhicheverTrialGetsToTheStepFirst) {
  const Outcomes run = simulated(R"({
    "experiments": [{"policy": {"config": {"max_failures": 0}}}],
    "faults": [{"kind": "worker_crash", "target": "experiment:x", "at_step": 3,
                "every_attempt": true}]})");
  EXPECT_EQ(run.experiment().at("statuses").at("ERROR"), 4);
  EXPECT_EQ(run.experiment().at("wall_us"), 30_s);
  EXPECT_EQ(run.trial(3), "ERROR 2 failures 1 restored 0 lost 0 steps 10 s");
}

TEST(Experiments, BeginAtTheBeginningWithoutCheckpoints) {
  const Outcomes run = simulated(R"({
    "experiments": [{"script": {"saves": false}}],
    "faults": [{"kind": "worker_crash", "target": "experiment:x/trial:0", "at": "47s"}]})");
  EXPECT_EQ(run.trial(0), "TERMINATED 10 failures 1 restored 0 lost 4 steps 47 s");
  EXPECT_EQ(run.experiment().at("wall_us"), 147_s);
}

TEST(Experiments, IgnoreACheckpointThatTheScriptDoesNotLoad) {
  const Outcomes run = simulated(R"({
    "experiments": [{"script": {"resumes": false}}],
    "faults": [{"kind": "worker_crash", "target": "experiment:x/trial:0", "at": "47s"}]})");
  EXPECT_EQ(run.trial(0), "TERMINATED 10 failures 1 restored 1 lost 4 steps 47 s");
}

TEST(Experiments, ShareAPoolWithJobsByPriority) {
  // The job needs both nodes and goes first; the trials follow when it has ended.
  const Outcomes run = simulated(R"({
    "job": {"priority": 1, "steps": 2}, "experiments": [{}]})");
  EXPECT_EQ(run.wall(), 20_s);
  EXPECT_EQ(run.experiment().at("wall_us"), 120_s);
}

TEST(Experiments, MakeAJobOfLowerPriorityWait) {
  const Outcomes run = simulated(R"({
    "job": {"steps": 2, "policy": {"config": {"max_failures": 9}},
            "env": {"RAY_TRAIN_WORKER_GROUP_START_TIMEOUT_S": "600"}},
    "experiments": [{"priority": 1}]})");
  EXPECT_EQ(run.experiment().at("wall_us"), 100_s);
  EXPECT_EQ(run.wall(), 120_s);
}

TEST(Experiments, AreStuckWhereTheirNodesNeverCome) {
  const Outcomes run = simulated(R"({
    "pool": {"nodes": 1}, "experiments": [{"trials": 2}],
    "faults": [{"kind": "node_crash", "target": "node:p-0", "at": "14s"}]})");
  EXPECT_EQ(run.summary.at("verdict"), "stuck");
  EXPECT_EQ(run.experiment().at("statuses").at("PENDING"), 2);
}

TEST(Experiments, FindWhatAnEarlierRunOfTheirNameLeft) {
  // The first is over at 100 s. The second has all of it as TERMINATED and ends at once; the third,
  // under another name, begins anew.
  const Outcomes run = simulated(R"({"experiments": [
    {"run": {"storage_path": "/s", "name": "one"}},
    {"name": "y", "submit": "200s", "run": {"storage_path": "/s", "name": "one"},
     "policy": {"config": {"restore": true}}},
    {"name": "z", "submit": "300s", "run": {"storage_path": "/s", "name": "other"},
     "policy": {"config": {"restore": true}}}]})");
  EXPECT_EQ(run.experiment(1).at("attempts"), 0);
  EXPECT_EQ(run.experiment(1).at("restores").size(), 1U);
  EXPECT_EQ(run.trial(0, 1), "TERMINATED 10 failures 0 restored 0 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment(2).at("attempts"), 4);
  EXPECT_EQ(run.experiment(2).at("restores").size(), 0U);
}

TEST(Experiments, FailTrialsWhoseObjectsAreGone) {
  // A crash at 34 s ends trial 0 for good; resumed in a new session its configuration points to
  // objects of the old one.
  const Outcomes run = simulated(R"({
    "experiments": [
      {"run": {"name": "one"}, "policy": {"config": {"max_failures": 0, "object_refs": ["data"]}}},
      {"name": "y", "submit": "200s", "run": {"name": "one"},
       "policy": {"config": {"max_failures": 0, "object_refs": ["data"],
                             "restore": {"resume_errored": true}}}}],
    "faults": [{"kind": "worker_crash", "target": "experiment:x/trial:0", "at": "34s"}]})");
  EXPECT_EQ(run.trial(0, 0), "ERROR 3 failures 1 restored 0 lost 0 steps 4 s");
  EXPECT_EQ(run.trial(0, 1), "ERROR 3 failures 2 restored 1 lost 0 steps 0 s");
  EXPECT_EQ(run.experiment(1).at("wall_us"), 0);
}

}  // namespace
}  // namespace aftershock::sim::world
