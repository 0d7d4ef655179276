// Faults that a machine or its user cannot do are refused before anything starts.
#include "sim/live/machine.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/read/read.h"

namespace aftershock::sim::live {
namespace {

/// The places of what is refused of five faults.
std::vector<std::string> refused(const Means& means) {
  auto read = scenario::read_scenario_text(
      R"({"schema":1,"name":"five","until":"2min",
  "cluster":{"pools":[{"name":"gpu","nodes":2,"accelerators":{"kind":"gpu","per_node":1}}]},
  "jobs":[{"name":"llm","workers":2,"steps":10,"step":"1s","checkpoint":{"every_steps":4},
           "policy":{"name":"torchrun","config":{"max_restarts":3}}}],
  "faults":[{"kind":"worker_crash","target":"job:llm/rank:1","at":"1s"},
            {"kind":"partition","target":"node:gpu-1","at":"1s","lasts":"1s"},
            {"kind":"worker_crash","how":"oom","target":"job:llm/rank:1","at":"2s"},
            {"kind":"full_disk","target":"node:gpu-1","at":"3s"},
            {"kind":"one_way_partition","direction":"outwards","target":"node:gpu-1","at":"4s","lasts":"1s"}]})",
      "test", {});
  const auto* errors = std::get_if<std::vector<scenario::ScenarioError>>(&read);
  EXPECT_EQ(errors, nullptr) << (errors == nullptr ? "" : scenario::format(errors->front()));
  std::vector<std::string> places;
  for (const Refusal& each :
       beyond_means(std::get<scenario::ReadScenario>(std::move(read)).scenario, means)) {
    places.push_back(each.pointer);
  }
  return places;
}

TEST(Means, DecideWhichFaultsAreRefused) {
  using Places = std::vector<std::string>;
  EXPECT_EQ(refused({.namespaces = true, .memory_cgroups = true}), Places());
  EXPECT_EQ(refused({.namespaces = false, .memory_cgroups = true}),
            (Places{"/faults/1/kind", "/faults/3/kind", "/faults/4/kind"}));
  EXPECT_EQ(refused({.namespaces = true, .memory_cgroups = false}), Places{"/faults/2/how"});
}

}  // namespace
}  // namespace aftershock::sim::live
