#include "sim/chaos/shrink.h"

#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/scenario/read/read.h"

namespace aftershock::sim::chaos {
namespace {

using Json = nlohmann::ordered_json;

/// The ring with a planted bug of two faults among 41: with no retry left, the second crash of a
/// worker ends the job, which the expectation calls wrong. All others are hangs that end by
/// themselves after a second.
Json planted() {
  auto read = scenario::read_scenario_file("scenarios/ring16.json");
  Json scenario = *std::get<scenario::ReadScenario>(read).scenario.resolved;
  scenario["jobs"][0]["policy"]["config"]["max_failures"] = 1;
  Json faults = Json::array();
  for (int i = 0; i < 39; ++i) {
    faults.push_back({{"id", fmt::format("noise-{}", i)},
                      {"kind", "hang"},
                      {"target", fmt::format("job:ring/rank:{}", i % 16)},
                      {"at", fmt::format("{}s", 700 + i * 61)},
                      {"lasts", "1s"}});
  }
  const auto crash = [](const char* id, int rank, const char* at) {
    return Json{{"id", id},
                {"kind", "worker_crash"},
                {"target", fmt::format("job:ring/rank:{}", rank)},
                {"at", at}};
  };
  faults.insert(faults.begin() + 7, crash("one", 3, "1203s"));
  faults.insert(faults.begin() + 30, crash("two", 11, "2907s"));
  scenario["faults"] = std::move(faults);
  return scenario;
}

TEST(Shrink, APlantedBugOfTwoFaultsIsFoundAmongFortyOne) {
  const Json scenario = planted();
  ASSERT_EQ(scenario["faults"].size(), 41U);
  const auto failure = failure_of(scenario, "planted");
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->id, "/jobs/0/outcome");
  const Shrunk shrunk = shrink(scenario, *failure, "planted", {});
  EXPECT_TRUE(shrunk.whole);
  EXPECT_EQ(shrunk.failure.id, failure->id);
  EXPECT_EQ(shrunk.scenario["faults"].size(), 2U)
      << policies::text_from_json(shrunk.scenario, {.indent = 1});
  EXPECT_LE(shrunk.scenario["cluster"]["pools"][0].value("nodes", 1), 4);
  const auto again = failure_of(shrunk.scenario, "again");
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->id, failure->id);
}

TEST(Shrink, EndsWithWhatThereIsWhenItMayNotGoOn) {
  const Json scenario = planted();
  const auto failure = failure_of(scenario, "planted");
  ASSERT_TRUE(failure.has_value());
  ShrinkOptions options;
  options.most_runs = 5;
  const Shrunk shrunk = shrink(scenario, *failure, "planted", options);
  EXPECT_FALSE(shrunk.whole);
  EXPECT_EQ(shrunk.runs, 5);
  EXPECT_TRUE(failure_of(shrunk.scenario, "part").has_value());
}

/// Four nodes and nothing in their place, one of which is lost first; in the end a rank of those
/// that are left hangs, and nobody looks. Either holds the job up for good.
Json stuck_by(const char* faults) {
  auto read = scenario::read_scenario_text(fmt::format(R"({{"schema": 1, "name": "held", "seed": 1,
 "question": "what holds it up?",
 "cluster": {{"pools": [{{"name": "p", "nodes": 4, "spares": 1,
   "accelerators": {{"kind": "gpu", "per_node": 2}}}}]}},
 "jobs": [{{"name": "a", "pool": "p", "workers": 8, "steps": 400, "step": "10s",
   "collective_timeout": "none", "phases": {{"launching": "10s"}},
   "policy": {{"name": "ray_train", "config": {{"max_failures": 9}}}}}}],
 "faults": [{}]}})",
                                                       faults),
                                           "held");
  return *std::get<scenario::ReadScenario>(read).scenario.resolved;
}

constexpr const char* kLoses =
    R"({"id": "n1", "kind": "node_crash", "target": "node:p-1", "at": "10min"},
       {"id": "n2", "kind": "node_crash", "target": "node:p-2", "at": "20min"})";
constexpr const char* kHangs =
    R"({"id": "n1", "kind": "node_crash", "target": "node:p-1", "at": "10min"},
       {"id": "h", "kind": "hang", "target": "job:a/rank:0", "at": "20min"})";

TEST(Shrink, WhatIsStuckIsTheSameStuckWhenItIsSmall) {
  for (const auto& [faults, id, most] :
       {std::tuple{kLoses, "stuck: waits for nodes: down by node_crash", 2U},
        std::tuple{kHangs, "stuck: stands still: hang", 1U}}) {
    const Json scenario = stuck_by(faults);
    const auto failure = failure_of(scenario, "held");
    ASSERT_TRUE(failure.has_value()) << faults;
    EXPECT_EQ(failure->id, id);
    const Shrunk shrunk = shrink(scenario, *failure, "held", {});
    EXPECT_EQ(shrunk.failure.id, id) << policies::text_from_json(shrunk.scenario, {.indent = 1});
    EXPECT_LE(shrunk.scenario["faults"].size(), most)
        << policies::text_from_json(shrunk.scenario, {.indent = 1});
  }
}

TEST(Shrink, ARunThatPassesHasNoFailure) {
  auto read = scenario::read_scenario_file("scenarios/ring16.json");
  EXPECT_FALSE(
      failure_of(*std::get<scenario::ReadScenario>(read).scenario.resolved, "ring16").has_value());
}

struct Likeness {
  Failure one;
  Failure other;
  bool alike;
};

TEST(Shrink, PoliciesFailAlikeThatMakeTheSameMistakeElsewhere) {
  const std::string died = "ended with exit code 1 before it answered batch ";
  const std::string says = "\n  the last lines of its standard error:\n  | Traceback\n";
  for (const Likeness& row : {
           Likeness{{"S07", "of job a"}, {"S07", "of job b"}, true},
           {{"S07", "of job a"}, {"S08", "of job a"}, false},
           {{"policy_failed", died + "7"}, {"policy_failed", died + "12"}, true},
           {{"policy_failed", died + "7"}, {"policy_failed", "loops: it was asked"}, false},
           {{"policy_failed", died + "7" + says + "  |   line 3\n  | KeyError: 'a'"},
            {"policy_failed", died + "8" + says + "  | KeyError: 'a'\n"},
            true},
           {{"policy_failed", died + "7" + says + "  | KeyError: 'a'"},
            {"policy_failed", died + "7" + says + "  | ZeroDivisionError"},
            false},
       }) {
    EXPECT_EQ(alike(row.one, row.other), row.alike) << row.other.words;
  }
}

}  // namespace
}  // namespace aftershock::sim::chaos
