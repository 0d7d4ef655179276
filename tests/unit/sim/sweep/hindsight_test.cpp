#include "sim/sweep/hindsight.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"

namespace aftershock::sim::sweep {
namespace {

// Everything that hindsight would do, as far as a scenario can say it: faults are seen at once, a
// node is replaced at once, a checkpoint after every step is free.
constexpr const char* kClairvoyant = R"({
 "schema": 1, "name": "clairvoyant", "seed": 1,
 "cluster": {"pools": [{"name": "gpu", "nodes": 2, "replacement": "now",
                        "accelerators": {"kind": "gpu", "per_node": 8}}]},
 "jobs": [{
  "name": "llm", "pool": "gpu", "workers": 16, "steps": 1000, "step": "10s",
  "checkpoint": {"every_steps": 1},
  "phases": {"launching": "60s", "rendezvous": {"uniform": ["30s", "30s"]}, "warming_up": "30s"},
  "restart_phases": {"launching": "60s", "rendezvous": "30s", "restoring": "10s",
                     "warming_up": "30s"},
  "detection": {"fixed": "0s"}, "env": {"RAY_TRAIN_HEALTH_CHECK_INTERVAL_S": "0.000001"},
  "policy": {"name": "ray_train", "profile": "2026-05", "config": {"max_failures": -1}}
 }],
 "faults": [{"id": "a", "kind": "node_crash", "target": "node:gpu-0", "at": "1000s"},
            {"id": "b", "kind": "node_crash", "target": "node:gpu-1", "at": "5000s"},
            {"id": "late", "kind": "node_crash", "target": "node:gpu-0", "at_step": 5000}]
})";

// 1000 steps of 10 s, a first start of 120 s and two restarts of 130 s.
TEST(Hindsight, IsWhatARunComesNearToThatLosesNothingElse) {
  const auto read = scenario::read_scenario_text(kClairvoyant, "clairvoyant.json");
  const auto* checked = std::get_if<scenario::ReadScenario>(&read);
  ASSERT_NE(checked, nullptr) << scenario::format(std::get<1>(read).front());
  const auto costs = start_costs(checked->scenario);
  ASSERT_TRUE(costs);
  EXPECT_EQ(costs->first_us, 120'000'000);
  EXPECT_EQ(costs->restart_us, 130'000'000);
  EXPECT_EQ(moving_faults(checked->scenario), (std::vector<std::string>{"late"}));

  const auto scenario = std::make_shared<const scenario::Scenario>(checked->scenario);
  const reports::RunRow row = reports::row_of(simulate::simulate(scenario, {}), {});
  const auto bound = reports::hindsight_useful(row, *costs);
  ASSERT_TRUE(bound);
  EXPECT_DOUBLE_EQ(*bound, 10000.0 / (10000 + 120 + 2 * 130));
  const auto useful = reports::number_of(row, "useful_share");
  ASSERT_TRUE(useful);
  EXPECT_LE(*useful, *bound);
  // Each fault costs the step that it interrupts, at most 10 s, and no more than a second of the
  // controller.
  EXPECT_GE(*useful, 10000.0 / (10000 + 120 + 2 * (130 + 11)));
}

TEST(Hindsight, SaysNothingOfExperiments) {
  const auto read = scenario::read_scenario_file("scenarios/tune/ten_to_twenty.json");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(read));
  EXPECT_FALSE(start_costs(std::get<scenario::ReadScenario>(read).scenario));
}

}  // namespace
}  // namespace aftershock::sim::sweep
