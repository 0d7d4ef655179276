// Draws belong to what has them by name: things that are put beside change none.

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/sim/world/harness.h"

namespace aftershock::sim::world {
namespace {

/// A thing of its own, first and last in one of the lists of a scenario.
struct Neighbour {
  const char* name;
  const char* list;
  const char* text;
};

constexpr Neighbour kNeighbours[] = {
    {"a fault", "faults",
     R"({"id": "harmless", "kind": "node_crash", "target": "node:idle-0", "at": "9d"})"},
    {"a fault without an id", "faults",
     R"({"kind": "node_crash", "target": "node:idle-0", "at": "1h"})"},
    {"a source without an id", "faults",
     R"({"kind": "hang", "target": "pool:idle",
         "source": {"exponential": {"mtbf": "3d", "per": "node"}}})"},
    {"a pool", "pools", R"({"name": "more", "nodes": 3})"},
    {"a head", "heads", R"({"name": "more", "restart": {"after": "1h"}})"},
    {"a job", "jobs",
     R"({"name": "more", "pool": "idle", "head": "first", "workers": 1, "steps": 9,
         "phases": {"launching": {"exponential": {"mean": "9s"}}}})"},
    {"an experiment", "experiments",
     R"({"name": "more", "pool": "idle", "head": "first", "trials": 1})"},
};

// A scenario in which every kind of owner draws: faults with and without an id, machines, a job, a
// head and trials.
std::string scenario_with(const Neighbour* more, bool in_front) {
  const auto list = [&](const char* name, std::string text) {
    if (more == nullptr || std::string(more->list) != name) {
      return text;
    }
    return in_front ? fmt::format("{}, {}", more->text, text)
                    : fmt::format("{}, {}", text, more->text);
  };
  const std::string pools = list("pools", R"(
      {"name": "p", "nodes": 2, "accelerators": {"per_node": 2}, "replacement": "provision",
       "provision": {"exponential": {"mean": "20min"}}, "repair": {"exponential": {"mean": "2h"}}},
      {"name": "q", "nodes": 4, "replacement": "now"}, {"name": "idle", "nodes": 1})");
  const std::string heads = list("heads", R"({"name": "first", "restart": {
      "after": {"exponential": {"mean": "10min"}}}})");
  const std::string jobs = list("jobs", R"(
      {"name": "a", "head": "first", "steps": 20000, "checkpoint": {"every": "10min"},
       "phases": {"launching": {"lognormal": {"mean": "30s", "sigma": 0.5}}},
       "policy": {"name": "ray_train", "config": {"max_failures": -1}}})");
  const std::string experiments = list("experiments", R"(
      {"name": "x", "pool": "q", "head": "first", "steps": 500,
       "phases": {"launching": {"gamma": {"mean": "20s", "shape": 2}}},
       "policy": {"name": "ray_tune", "config": {"max_failures": -1}}})");
  const std::string faults = list("faults", R"(
      {"id": "crash", "kind": "node_crash", "target": "pool:p",
       "source": {"exponential": {"mtbf": "1d", "per": "node"}}},
      {"kind": "worker_crash", "target": "job:a",
       "source": {"weibull": {"mtbf": "9h", "shape": 0.7, "per": "job"}}},
      {"kind": "worker_crash", "target": "job:a",
       "source": {"exponential": {"mtbf": "9h", "per": "job"}}},
      {"id": "trial", "kind": "worker_crash", "target": "experiment:x",
       "source": {"exponential": {"mtbf": "20min", "per": "job"}}},
      {"id": "head", "kind": "head_crash", "target": "head:first", "at": "6h"})");
  return fmt::format(
      R"({{"until": "2d", "cluster": {{"pools": [{}], "heads": [{}]}}, "jobs": [{}],
          "experiments": [{}], "faults": [{}]}})",
      pools, heads, jobs, experiments, faults);
}

const nlohmann::json& named(const nlohmann::json& list, const char* name) {
  for (const nlohmann::json& each : list) {
    if (each.at("name") == name) {
      return each;
    }
  }
  ADD_FAILURE() << name << " is not in " << list;
  return list;
}

TEST(Neighbours, ChangeNoDrawOfWhatStandsBesideThem) {
  const Outcomes alone = simulated(scenario_with(nullptr, false));
  ASSERT_GT(named(alone.summary.at("jobs"), "a").at("recoveries").size(), 10U);
  for (const Neighbour& more : kNeighbours) {
    for (const bool in_front : {true, false}) {
      SCOPED_TRACE(fmt::format("{} {}", more.name, in_front ? "in front" : "behind"));
      const Outcomes beside = simulated(scenario_with(&more, in_front));
      EXPECT_EQ(named(beside.summary.at("jobs"), "a"), named(alone.summary.at("jobs"), "a"));
      EXPECT_EQ(named(beside.summary.at("experiments"), "x"),
                named(alone.summary.at("experiments"), "x"));
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::world
