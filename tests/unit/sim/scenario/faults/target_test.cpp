#include "sim/scenario/faults/target.h"

#include <string>

#include <gtest/gtest.h>

#include "sim/scenario/text/node_names.h"

namespace aftershock::sim::scenario {
namespace {

PoolSpec pool(std::string name, std::uint32_t nodes, std::uint32_t spares, std::uint32_t most) {
  PoolSpec pool;
  pool.name = std::move(name);
  pool.nodes = nodes;
  pool.spares = spares;
  pool.max_nodes = most;
  return pool;
}

TEST(NodeNames, AndSlotsAreEachOthersInverse) {
  const PoolSpec gpu = pool("gpu", 3, 2, 7);
  const std::string names[] = {"gpu-0",       "gpu-1", "gpu-2", "gpu-spare-0",
                               "gpu-spare-1", "gpu-3", "gpu-4"};
  for (std::uint32_t slot = 0; slot < 7; ++slot) {
    EXPECT_EQ(node_name(gpu, slot), names[slot]);
    EXPECT_EQ(node_slot(gpu, names[slot]), slot);
  }
  for (const char* wrong : {"gpu-5", "gpu-spare-2", "gpu-", "gpu", "gpu-01", "gpu--1", "gpu-1 ",
                            "xgpu-1", "gpu-99999999999", "gpu-spare-"}) {
    EXPECT_FALSE(node_slot(gpu, wrong)) << wrong;
  }
}

TEST(Target, PoolsWhoseNamesBeginAlikeAreToldApart) {
  Scenario scenario;
  scenario.cluster.pools = {pool("a", 2, 0, 2), pool("a-1", 2, 0, 2)};
  const auto slot = [&](std::string_view text) {
    const auto target = std::get<Target>(resolve_target(scenario, text));
    return std::pair(target.pool, target.index);
  };
  EXPECT_EQ(slot("node:a-1"), std::pair(0U, 1U));
  EXPECT_EQ(slot("node:a-1-1"), std::pair(1U, 1U));
}

TEST(Target, SuggestsWhatCanBeWrittenThere) {
  Scenario scenario;
  scenario.cluster.pools = {pool("gpu", 4, 1, 5)};
  JobSpec job;
  job.name = "llm";
  job.workers = 4;
  scenario.jobs = {job};
  ExperimentSpec experiment;
  experiment.name = "search";
  experiment.trials = 4;
  scenario.experiments = {experiment};
  struct Case {
    std::string text;
    std::string nearest;
  };
  const Case cases[] = {{"node:gpo-3", "node:gpu-3"},
                        {"node:gpo-9", ""},
                        {"node:gpo-spare-0", "node:gpu-spare-0"},
                        {"accelerator:gpo-3/5", "accelerator:gpu-3/5"},
                        {"rack:gpo/0", "rack:gpu/0"},
                        {"pool:gpo", "pool:gpu"},
                        {"job:lm", "job:llm"},
                        {"job:lm/rank:3", "job:llm/rank:3"},
                        {"job:llm/rank:4", ""},
                        {"job:llm/3", ""},
                        {"job:llm/", ""},
                        {"experiment:serch", "experiment:search"},
                        {"experiment:serch/trial:3", "experiment:search/trial:3"},
                        {"experiment:search/trial:4", ""},
                        {"experiment:search/rank:3", ""},
                        {"experiment:llm", ""},
                        {"rack:gpu", ""},
                        {"accelerator:gpu-3", ""}};
  for (const Case& each : cases) {
    const auto result = resolve_target(scenario, each.text);
    ASSERT_TRUE(std::holds_alternative<TextProblem>(result)) << each.text;
    EXPECT_EQ(std::get<TextProblem>(result).nearest, each.nearest) << each.text;
  }
}

}  // namespace
}  // namespace aftershock::sim::scenario
