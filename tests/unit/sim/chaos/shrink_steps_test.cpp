#include "sim/chaos/shrink_steps.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::sim::chaos {
namespace {

using Json = nlohmann::ordered_json;

Json small() {
  return policies::json_from_text<Json>(R"({
    "cluster": {"pools": [{"name": "a", "nodes": 8, "racks": 4, "accelerators": {"per_node": 2}}]},
    "jobs": [{"name": "j", "workers": 16, "steps": 80}],
    "faults": [{"target": "node:a-6", "at": "3723s"}, {"target": "job:j/rank:9"},
               {"target": "node:a-2"}, {"target": "node:a-spare-0"}]})");
}

TEST(ShrinkSteps, FaultsStrikeTheNodesAndRanksThatAreLeft) {
  const Json two = fewer_nodes(small()).at(1);
  EXPECT_EQ(two["cluster"]["pools"][0]["nodes"], 2);
  EXPECT_EQ(two["cluster"]["pools"][0]["racks"], 2);
  EXPECT_EQ(two["jobs"][0]["workers"], 4);
  EXPECT_EQ(two["faults"][0]["target"], "node:a-1");
  EXPECT_EQ(two["faults"][1]["target"], "job:j/rank:0");
  EXPECT_EQ(two["faults"][2]["target"], "node:a-0");
  EXPECT_EQ(two["faults"][3]["target"], "node:a-spare-0");
}

TEST(ShrinkSteps, TheFewestComeFirst) {
  std::vector<int> nodes;
  for (const Json& candidate : fewer_nodes(small())) {
    nodes.push_back(candidate["cluster"]["pools"][0]["nodes"]);
  }
  EXPECT_EQ(nodes, (std::vector<int>{1, 2, 3, 4, 7}));
  std::vector<int> steps;
  for (const Json& candidate : fewer_steps(small())) {
    steps.push_back(candidate["jobs"][0]["steps"]);
  }
  EXPECT_EQ(steps, (std::vector<int>{1, 10, 40, 72}));
}

TEST(ShrinkSteps, TimesBecomeRounder) {
  std::vector<std::string> times;
  for (const Json& candidate : rounder_times(small())) {
    times.push_back(candidate["faults"][0]["at"]);
  }
  EXPECT_EQ(times, (std::vector<std::string>{"1h", "62min"}));
}

TEST(ShrinkSteps, WhatHoldsComesBeforeWhatIsHeld) {
  const auto keys = optional_keys(small());
  const auto place = [&keys](const char* key) {
    return std::ranges::find(keys, Json::json_pointer(key)) - keys.begin();
  };
  EXPECT_LT(place("/cluster/pools/0/accelerators"),
            place("/cluster/pools/0/accelerators/per_node"));
  EXPECT_EQ(place("/jobs"), static_cast<std::ptrdiff_t>(keys.size()));
}

}  // namespace
}  // namespace aftershock::sim::chaos
