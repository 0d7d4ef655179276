// Faults by step and by phase; what they must come to. 950 s of work, saved every 100 s.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::simulate {
namespace {

using world::operator""_s;

// Step 15 ends at 150, in the microsecond of a poll. It strikes once: the second attempt passes it.
TEST(WorldTriggers, AtStepOnce) {
  const world::Outcomes run =
      world::simulated(R"({"job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0", "at_step": 15}]})");
  EXPECT_EQ(run.ledger(), (world::Buckets{{"productive", 950_s}, {"rolled_back", 50_s}}));
  EXPECT_EQ(run.job()["attempts"], 2);
}

// A step at which a checkpoint is due: it strikes in the save.
TEST(WorldTriggers, AtAStepThatEndsInASave) {
  const world::Outcomes run = world::simulated(R"({
    "job": {"steps": 95,
            "checkpoint": {"every": "100s", "blocking": "4s", "at_end": false}},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0", "at_step": 10}]})");
  EXPECT_EQ(run.ledger(),
            (world::Buckets{
                {"productive", 950_s}, {"rolled_back", 100_s}, {"checkpoint_blocking", 36_s}}));
}

// A poison step: attempts from 100 on break at 150, 200, 250; the third failure is one too many.
TEST(WorldTriggers, AtStepInEveryAttempt) {
  const world::Outcomes run = world::simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "policy": {"config": {"max_failures": 2}}},
    "faults": [{"id": "poison", "kind": "worker_crash", "target": "job:a/rank:0", "at_step": 15,
                "every_attempt": true}]})");
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.ledger(), (world::Buckets{{"productive", 100_s}, {"rolled_back", 150_s}}));
  EXPECT_EQ(run.job()["attempts"], 3);
  EXPECT_EQ(run.faults("worker_crash"), "fired 3 masked 0 detected 3");
  EXPECT_EQ(run.job()["budgets"]["max_failures"]["charges"][2]["fault"], "poison#3");
}

struct TriggerRow {
  const char* when;
  std::int64_t detected_us;
};

// Restores take 20 s: a first crash at 151 is seen at 152, restored at 172.
TEST(WorldTriggers, ByPhaseWithAnOffset) {
  const TriggerRow rows[] = {
      {R"({"enter": "training"})", 0_s},
      {R"({"enter": "training", "offset": "31s"})", 32_s},
      // The first stretch of training is 100 s, to the first save of 4 s.
      {R"({"enter": "training", "offset": "50%"})", 50_s},
      {R"({"enter": "training", "offset": "12.5%"})", 14_s},
      {R"({"enter": "training", "nth": 2, "offset": "10s"})", 114_s},
      {R"({"enter": "checkpointing", "offset": "25%"})", 102_s},
      {R"({"enter": "checkpointing", "nth": 2, "offset": "50%"})", 206_s},
      {R"({"enter": "finalizing", "offset": "50%"})", 1044_s},
  };
  for (const TriggerRow& row : rows) {
    const world::Outcomes run = world::simulated(fmt::format(
        R"({{"job": {{"checkpoint": {{"every": "100s", "blocking": "4s"}},
                      "phases": {{"finalizing": "8s"}}}},
             "faults": [{{"kind": "worker_crash", "target": "job:a/rank:0", "when": {},
                          "require": "caused_restart"}}]}})",
        row.when));
    EXPECT_EQ(run.summary["verdict"], "passed") << row.when;
    EXPECT_EQ(run.detected(), row.detected_us) << row.when;
  }
}

// The phase of a recovery: restoring from 152 to 172, so its half is 162; the fault is seen there.
TEST(WorldTriggers, InARecovery) {
  const world::Outcomes run = world::simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "phases": {"restoring": "20s"}},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0", "at": "151s"},
               {"kind": "worker_crash", "target": "job:a/rank:0",
                "when": {"enter": "restoring", "offset": "50%"}}]})");
  EXPECT_EQ(run.detected(1), 162_s);
  EXPECT_EQ(run.ledger(), (world::Buckets{{"productive", 950_s},
                                          {"rolled_back", 51_s},
                                          {"undetected", 1_s},
                                          {"restoring", 10_s + 20_s}}));
}

// Uploads take 30 s behind training; half of the first is 115.
TEST(WorldTriggers, InTheBackground) {
  const world::Outcomes run = world::simulated(R"({
    "cluster": {"storage": [{"name": "s", "read": "100GB/s", "write": "100MB/s"}]},
    "job": {"checkpoint": {"every": "100s", "bytes": "3GB", "upload": "async"}},
    "faults": [{"kind": "worker_crash", "how": "oom", "target": "job:a/rank:0",
                "when": {"enter": "uploading", "offset": "50%"}}]})");
  EXPECT_EQ(run.detected(), 116_s);
  EXPECT_EQ(run.ledger()["rolled_back"], 115_s) << "the upload was not through";
}

// The length that counts is that of the run without the trigger: the second trigger waits for what
// the first one makes of the run.
TEST(WorldTriggers, OneAfterTheOther) {
  const world::Outcomes run = world::simulated(R"({
    "job": {"steps": 95, "checkpoint": {"every": "100s", "at_end": false}, "phases": {"restoring": "20s"}},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:0",
                "when": {"enter": "restoring", "offset": "50%"}},
               {"kind": "worker_crash", "target": "job:a/rank:0",
                "when": {"enter": "training", "nth": 2, "offset": "51%"}}]})");
  // Training 2 is 100..200: half of it and one is 151, seen at 152; then as in InARecovery.
  EXPECT_EQ(run.detected(0), 152_s);
  EXPECT_EQ(run.detected(1), 162_s);
}

struct Requirement {
  const char* fault;
  const char* require;
  const char* verdict;
};

TEST(WorldTriggers, WhatMustComeOfAFault) {
  const char* brief = R"("kind": "hang", "target": "job:a/rank:1", "at": "151s", "lasts": "10s")";
  const char* seen = R"("kind": "worker_crash", "target": "job:a/rank:1", "at": "151s")";
  const char* unmet =
      R"("kind": "worker_crash", "target": "job:a/rank:1", "when": {"enter": "provisioning"})";
  const char* endless = R"("kind": "worker_crash", "target": "job:a/rank:1",
                           "when": {"enter": "training", "nth": 99, "offset": "50%"})";
  const char* nobody = R"("kind": "worker_crash", "target": "job:a/rank:1", "at": "2000s")";
  const Requirement rows[] = {
      {brief, "fired", "passed"},           {brief, "detected", "invalid"},
      {brief, "caused_restart", "invalid"}, {seen, "caused_restart", "passed"},
      {unmet, "fired", "invalid"},          {endless, "fired", "invalid"},
      {nobody, "fired", "invalid"},
  };
  for (const Requirement& row : rows) {
    const world::Outcomes run = world::simulated(fmt::format(
        R"({{"job": {{"checkpoint": {{"every": "100s"}}}},
             "faults": [{{{}, "require": "{}"}}]}})",
        row.fault, row.require));
    EXPECT_EQ(run.summary["verdict"], row.verdict) << row.fault << " " << row.require;
  }
}

// A phase that never ends has no half: a job without steps trains until the scenario ends.
TEST(WorldTriggers, APercentageOfAPhaseThatNeverEndsIsUnmet) {
  const world::Outcomes run = world::simulated(R"({
    "until": "500s", "job": {"steps": null},
    "faults": [{"kind": "worker_crash", "target": "job:a/rank:1", "require": "fired",
                "when": {"enter": "training", "offset": "50%"}}]})");
  EXPECT_EQ(run.summary["verdict"], "invalid");
  EXPECT_EQ(run.ledger(), (world::Buckets{{"productive", 500_s}}));
}

TEST(WorldTriggers, Expectations) {
  const world::Outcomes run = world::simulated(R"({
    "expect": [{"at": "/jobs/0/outcome", "is": "completed"},
               {"at": "/jobs/0/wall_us", "is": 1000000001},
               {"at": "/jobs/0/attempts", "min": 1, "max": 1},
               {"at": "/jobs/0/outcome", "min": 1},
               {"at": "/jobs", "near": 1, "within": 1}]})");
  EXPECT_EQ(run.summary["verdict"], "failed");
  EXPECT_EQ(run.summary["verdict_reason"],
            "3 of 5 expectations failed: /jobs/0/wall_us: wanted is 1000000001, got 1000000000");
  const auto& expect = run.summary["expect"];
  EXPECT_EQ(expect[0]["ok"], true);
  EXPECT_EQ(expect[1]["ok"], false);
  EXPECT_EQ(expect[1]["got"], 1000_s);
  EXPECT_EQ(expect[2]["ok"], true);
  EXPECT_EQ(expect[3]["ok"], false);
  EXPECT_EQ(expect[4]["ok"], false);
}

// Two jobs that share a storage are probed in a process of their own: what comes back is all that
// a run says. In the training of a second attempt there is all of it to say.
TEST(WorldTriggers, ProbesOfJobsThatShareAStorageSayAsMuch) {
  auto read = scenario::read_scenario_text(world::scenario_text(R"({
    "pool": {"nodes": 4},
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "100MB/s"}]},
    "jobs": [{"name": "a", "workers": 4, "steps": 30, "hang_detection": {"after": "5min"},
              "checkpoint": {"every": "100s", "bytes": "1GB"}},
             {"name": "b", "workers": 2, "steps": 20,
              "checkpoint": {"every": "100s", "bytes": "1GB"}}],
    "faults": [
      {"kind": "worker_crash", "target": "job:a/rank:0", "at": "150s"},
      {"kind": "worker_crash", "target": "job:a/rank:1",
       "when": {"enter": "training", "job": "a", "nth": 3, "offset": "50%"}}]})"),
                                           "shared");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read));
  const auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(read).scenario));
  ASSERT_TRUE(may_contend(*scenario));
  const std::vector<faults::TriggerProbe> probes = probe_triggers(scenario);
  ASSERT_EQ(probes.size(), 2U);
  const faults::TriggerProbe& probe = probes.back();
  EXPECT_TRUE(probe.began_us && probe.length_us);
  EXPECT_TRUE(probe.processes);
  EXPECT_TRUE(probe.committed);
  EXPECT_TRUE(probe.later_attempt);
  EXPECT_TRUE(probe.hangs_looked_for);
}

}  // namespace
}  // namespace aftershock::sim::simulate
