#include <memory>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"
#include "sim/simulate/simulate.h"
#include "sim/world/closing.h"
#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

void play_on(World& world) {
  while (!world.over() && !world.calendar().empty()) {
    world.play(world.calendar().pop());
  }
  close_run(world);
}

// A world is a value: a copy made at any moment has the same future, and neither disturbs the
// other.
TEST(World, ACopyHasTheSameFuture) {
  const std::string text = scenario_text(R"({
    "pool": {"spares": 1, "racks": 3, "repair": {"exponential": {"mean": "1h"}}},
    "cluster": {"storage": [{"name": "s", "read": "1GB/s", "write": "1GB/s"}]},
    "job": {"checkpoint": {"every": "100s", "bytes": "7GB", "upload": "async"}, "steps": 2000,
            "phases": {"launching": {"uniform": ["1s", "20s"]}}},
    "faults": [{"kind": "node_crash", "target": "pool:p",
                "source": {"exponential": {"mtbf": "1h", "per": "node"}}},
               {"kind": "partition", "target": "rack:p/1", "at": "3000s", "lasts": "5min"},
               {"kind": "hang", "target": "job:a", "at": "9000s"}], "until": "1d"})");
  scenario::ReadResult result = scenario::read_scenario_text(text, "test.json");
  ASSERT_TRUE(std::holds_alternative<scenario::ReadScenario>(result));
  const auto scenario = std::make_shared<const scenario::Scenario>(
      std::move(std::get<scenario::ReadScenario>(result).scenario));
  World whole(scenario, simulate::make_hosts(*scenario), {});
  play_on(whole);
  const std::int64_t entries = whole.core.entries_played();
  ASSERT_GT(entries, 500);
  for (const std::int64_t part : {0, 1, 3, 7, 9}) {
    World world(scenario, simulate::make_hosts(*scenario), {});
    while (world.core.entries_played() < entries * part / 10) {
      world.play(world.calendar().pop());
    }
    World copy = world;
    play_on(copy);
    EXPECT_EQ(copy.core.recorder().hash(), whole.core.recorder().hash()) << part;
    play_on(world);
    EXPECT_EQ(world.core.recorder().hash(), whole.core.recorder().hash()) << part;
  }
}

}  // namespace
}  // namespace aftershock::sim::world
