// Nodes that are announced to go: jobs that work on until then (chaos.md 5.6, P05), and nodes
// that do not last that long.

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

// Two nodes and a spare; an attempt takes 10 s to start, and 2 s to stop.
reports::RunSummary with_faults(const std::string& faults) {
  const std::string text = R"({"schema": 1, "name": "drained", "seed": 1, "question": "who goes?",
 "cluster": {
  "heads": [{"name": "h"}],
  "pools": [{"name": "p", "nodes": 2, "spares": 1,
             "accelerators": {"kind": "gpu", "per_node": 2}}],
  "heartbeat": {"every": "5s", "misses": 3}},
 "jobs": [{"name": "a", "pool": "p", "workers": 4, "steps": 200, "step": "10s",
   "phases": {"launching": "10s", "tearing_down": "2s"},
   "policy": {"name": "ray_train", "config": {"max_failures": 3}}}],
 "faults": [)" + faults + "]}";
  auto read = scenario::read_scenario_text(text, "drained");
  return simulate::simulate(std::make_shared<const scenario::Scenario>(
                                std::move(std::get<scenario::ReadScenario>(read).scenario)),
                            {});
}

constexpr std::int64_t kSecondUs = 1'000'000;

std::int64_t launching_us(const reports::RunSummary& run) {
  return run.jobs.front().ledger_us[static_cast<std::size_t>(reports::Bucket::kLaunching)];
}

// Told at 151 s, found by the look of 155 s and taken up by the poll of 156 s: the script returns
// at the end of its step, at 160 s. Live, Ray 2.60 FINISHED so at step 7, 9 and 11 of 60. Where it
// goes on, its node is gone at 211 s and the job starts again.
TEST(Draining, EndsAJobWhoseScriptReturnsOnNotice) {
  const auto run_with = [](const char* job) {
    return simulated(fmt::format(
        R"({{"pool": {{"spares": 1}}, "job": {},
             "faults": [{{"kind": "preemption", "target": "node:p-1", "at": "151s",
                          "notice": "60s"}}]}})",
        job));
  };
  const char* ray = R"({"name": "ray_train", "profile": "2026-09", "config": {"max_failures": 0}})";
  const Outcomes run = run_with(
      fmt::format(R"({{"policy": {}, "script": {{"on_notice": "returns"}}}})", ray).c_str());
  EXPECT_EQ(run.job()["outcome"], "completed");
  EXPECT_EQ(run.job()["vendor_state"], "FINISHED");
  EXPECT_EQ(run.ledger(), (Buckets{{"productive", 160_s}}));
  EXPECT_EQ(run.job()["steps_done"], 16);
  EXPECT_EQ(run.job()["attempts"], 1);
  EXPECT_EQ(run.used("max_preemption_failures"), 0);
  const Outcomes on = run_with(fmt::format(R"({{"policy": {}}})", ray).c_str());
  EXPECT_EQ(on.job()["attempts"], 2);
  EXPECT_EQ(on.used("max_preemption_failures"), 1);
  // The save after the last step comes then, too: the poll of 160 s takes the report, and
  // that of 162 s sees the end.
  const Outcomes saved = run_with(
      fmt::format(
          R"({{"policy": {}, "checkpoint": {{"every": "100s"}}, "script": {{"on_notice": "returns"}}}})",
          ray)
          .c_str());
  EXPECT_EQ(saved.ledger(), (Buckets{{"productive", 160_s}, {"finalizing", 2_s}}));
}

// Its last 30 s of 120: the crash is at 190 s, and seen before the node goes at 220 s.
TEST(Draining, IsAPhaseThatCanBeStruckWhileTheJobWorksOn) {
  const reports::RunSummary run = with_faults(
      R"({"id": "first", "kind": "preemption", "target": "node:p-1", "at": "100s",
          "notice": "2min"},
         {"id": "second", "kind": "worker_crash", "target": "job:a/rank:0", "require": "fired",
          "when": {"enter": "draining", "job": "a", "offset": "75%"}})");
  EXPECT_EQ(run.verdict, reports::Verdict::kPassed) << run.verdict_reason;
  ASSERT_FALSE(run.jobs.front().recoveries.empty());
  EXPECT_EQ(run.jobs.front().recoveries.front().fault, "second");
  EXPECT_EQ(run.jobs.front().recoveries.front().detected_us, 190 * kSecondUs);
}

TEST(Draining, IsOverWhenTheJobIsStopped) {
  const reports::RunSummary run = with_faults(
      R"({"id": "first", "kind": "preemption", "target": "node:p-1", "at": "100s",
          "notice": "2min"},
         {"id": "crash", "kind": "worker_crash", "target": "job:a/rank:0", "at": "130s"},
         {"id": "late", "kind": "worker_crash", "target": "job:a/rank:0",
          "when": {"enter": "draining", "job": "a", "offset": "40s"}})");
  EXPECT_EQ(run.faults.at("worker_crash").fired, 1);
}

// The spare is announced to go, and crashes before: until it is declared dead it still takes no
// work. The job waits for the node that is back after 10 min, and starts twice in all.
TEST(Draining, ANodeThatCrashesFirstIsNotGivenOut) {
  const reports::RunSummary run = with_faults(
      R"({"id": "spot", "kind": "preemption", "target": "node:p-spare-0", "at": "100s",
          "notice": "10min"},
         {"id": "node", "kind": "node_crash", "target": "node:p-1", "at": "150s",
          "lasts": "10min"},
         {"id": "spare", "kind": "node_crash", "target": "node:p-spare-0", "at": "200s"})");
  EXPECT_EQ(run.verdict, reports::Verdict::kPassed) << run.verdict_reason;
  EXPECT_EQ(run.jobs.front().outcome, "completed");
  EXPECT_EQ(launching_us(run), 20 * kSecondUs);
}

struct DeathRow {
  const char* name;
  const char* notice;  ///< of a preemption at 151 s
  std::int64_t failures;
  std::int64_t preemptions;
};

// Heartbeats that stay away tell of a node 10 to 15 s after its end (ray.md 1.9: preempted is a
// death that the GCS notices after the deadline of the drain).
TEST(Draining, RayTakesADeathForAPreemptionByItsDeadline) {
  const DeathRow rows[] = {
      {"at its deadline", R"("notice": "60s")", 0, 1},
      {"nobody said when", R"("notice": "60s", "deadline": "unknown")", 1, 0},
      {"noticed before its deadline", R"("notice": "60s", "early": "30s")", 1, 0},
      {"noticed after its deadline", R"("notice": "60s", "early": "5s")", 0, 1},
      {"unannounced", R"("lasts": "1h")", 1, 0},
  };
  for (const DeathRow& row : rows) {
    const Outcomes run = simulated(fmt::format(
        R"({{"pool": {{"spares": 1}},
             "job": {{"policy": {{"profile": "2026-09",
                                  "config": {{"max_failures": 9, "max_preemption_failures": 9}}}}}},
             "faults": [{{"kind": "preemption", "target": "node:p-1", "at": "151s", {}}}]}})",
        row.notice));
    EXPECT_EQ(run.used("max_failures"), row.failures) << row.name;
    EXPECT_EQ(run.used("max_preemption_failures"), row.preemptions) << row.name;
  }
}

}  // namespace
}  // namespace aftershock::sim::world
