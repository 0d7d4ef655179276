// Sources whose clock is the training of a job. Their count when they strike is in the
// ledger: trained, in vain or not, and saving.

#include <string>
#include <variant>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/faults/source.h"
#include "sim/scenario/read/read.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

scenario::Scenario scenario_of(const std::string& patch) {
  return std::get<scenario::ReadScenario>(
             scenario::read_scenario_text(scenario_text(patch), "test.json"))
      .scenario;
}

std::int64_t sum_of_gaps_us(const scenario::Scenario& scenario, std::uint32_t spec,
                            std::uint64_t count) {
  std::int64_t sum_us = 0;
  for (std::uint64_t nth = 0; nth < count; ++nth) {
    sum_us += faults::draw_gap_us(scenario, spec, nth, 0,
                                  faults::units_of(scenario, scenario.faults[spec]));
  }
  return sum_us;
}

std::int64_t trained_us(const Outcomes& run) {
  Buckets ledger = run.ledger();
  return ledger["productive"] + ledger["rolled_back"] + ledger["checkpoint_blocking"];
}

// Two restarts of 40 s, and the third failure is one too many.
std::string crashes(const std::string& clock) {
  return fmt::format(R"({{
    "until": "1d",
    "job": {{"steps": null, "checkpoint": {{"every": "100s", "blocking": "7s"}},
             "restart_phases": {{"launching": "30s", "restoring": "10s"}},
             "policy": {{"config": {{"max_failures": 2}}}}}},
    "faults": [{{"kind": "worker_crash", "target": "job:a",
                 "source": {{"exponential": {{"mtbf": "300s", "per": "job"}}{}}}}}]}})",
                     clock);
}

TEST(WorldTrainingClocks, StandStillBetweenAttempts) {
  const std::string patch = crashes(R"(, "clock": "training")");
  const Outcomes run = simulated(patch);
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.faults("worker_crash"), "fired 3 masked 0 detected 3");
  EXPECT_EQ(trained_us(run), sum_of_gaps_us(scenario_of(patch), 0, 3));
  EXPECT_EQ(run.ledger()["launching"], 60_s);
}

TEST(WorldTrainingClocks, CalendarTimeGoesOn) {
  const std::string patch = crashes(R"(, "clock": "calendar")");
  const Outcomes run = simulated(patch);
  EXPECT_EQ(run.faults("worker_crash"), "fired 3 masked 0 detected 3");
  EXPECT_LT(trained_us(run), sum_of_gaps_us(scenario_of(patch), 0, 3));
  EXPECT_EQ(run.summary["hash"], simulated(crashes("")).summary["hash"]);
}

// Ten crashes of nodes that come back at once: each is of a node that the job works on, though most
// of the pool is idle.
TEST(WorldTrainingClocks, OfAPoolWhatTheJobUses) {
  for (const char* per : {"node", "accelerator", "pool"}) {
    const std::string patch = fmt::format(R"({{
      "until": "1d", "pool": {{"nodes": 3, "spares": 20, "replacement": "now"}},
      "job": {{"steps": null, "workers": 5, "detection": {{"fixed": "0s"}}}},
      "faults": [{{"kind": "node_crash", "target": "pool:p",
                   "source": {{"exponential": {{"mtbf": "300s", "per": "{}"}}, "clock": "training"}}}}]}})",
                                          per);
    const Outcomes run = simulated(patch);
    EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)") << per;
    EXPECT_EQ(run.faults("node_crash"), "fired 10 masked 0 detected 10") << per;
    EXPECT_EQ(trained_us(run), sum_of_gaps_us(scenario_of(patch), 0, 10)) << per;
  }
}

// The first of two failures puts the job on a spare, which is at risk from then on.
TEST(WorldTrainingClocks, OfANodeWhileTheJobWorksOnIt) {
  const std::string patch = R"({
    "until": "1d", "pool": {"spares": 1},
    "job": {"steps": null, "policy": {"config": {"max_failures": 1}}},
    "faults": [{"kind": "node_crash", "target": "node:p-1", "at": "151s"},
               {"kind": "worker_crash", "target": "node:p-spare-0",
                "source": {"exponential": {"mtbf": "100s", "per": "node"}, "clock": "training"}}]})";
  const Outcomes run = simulated(patch);
  EXPECT_EQ(run.job()["reason"], "exhausted(max_failures)");
  EXPECT_EQ(run.faults("worker_crash"), "fired 1 masked 0 detected 1");
  EXPECT_EQ(trained_us(run), 151_s + sum_of_gaps_us(scenario_of(patch), 1, 1));
}

// Nothing is to come for a job that waits for ever: its source stands still with it.
TEST(WorldTrainingClocks, BringNothingToWhoWaits) {
  const Outcomes run = simulated(R"({
    "faults": [{"kind": "node_crash", "target": "pool:p",
                "source": {"exponential": {"mtbf": "300s", "per": "node"}, "clock": "training"}}]})");
  EXPECT_EQ(run.summary["verdict"], "stuck");
  EXPECT_EQ(run.faults("node_crash"), "fired 1 masked 0 detected 1");
}

}  // namespace
}  // namespace aftershock::sim::world
