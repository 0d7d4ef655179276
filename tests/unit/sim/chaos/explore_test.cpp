#include "sim/chaos/explore.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "policies/api/json_as_text.h"
#include "sim/scenario/read/policy_request.h"
#include "sim/sweep/process_pool.h"

namespace aftershock::sim::chaos {
namespace {

ExplorePlan exploration_of(const std::string& path, const std::vector<std::string>& sets = {}) {
  scenario::ReadOptions options;
  options.sets = sets;
  auto read = scenario::read_scenario_file(path, options);
  return std::get<ExplorePlan>(
      make_exploration(std::get<scenario::ReadScenario>(read).scenario, 0, path, "test"));
}

ExplorePlan ring_exploration() { return exploration_of("scenarios/ring16.json"); }

std::string fresh_file(const std::string& name) {
  const std::string path = ::testing::TempDir() + name;
  for (const char* end : {"", "-wal", "-shm"}) {
    std::filesystem::remove(path + end);
  }
  return path;
}

TEST(ScenarioGenerator, EverySeedIsAScenario) {
  const ExplorePlan plan = ring_exploration();
  std::set<std::string> texts;
  constexpr std::uint64_t kSeeds = 300;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string text = policies::text_from_json(swarm_scenario(plan.base, seed));
    EXPECT_TRUE(std::holds_alternative<scenario::ReadScenario>(
        scenario::read_scenario_text(text, "generator")))
        << text;
    EXPECT_EQ(text, policies::text_from_json(swarm_scenario(plan.base, seed)));
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), kSeeds);
}

// Pools that give out nothing in place of what breaks, jobs on one or two nodes, heads that stay
// down: what is made for them can be read too.
TEST(ScenarioGenerator, OfSmallAndPoorClustersToo) {
  const ExplorePlan plans[] = {
      ring_exploration(),
      exploration_of("scenarios/ring16.json", {"/cluster/pools/0/replacement=none"}),
      exploration_of("scenarios/ring16.json",
                     {"/cluster/pools/0/replacement=none", "/cluster/pools/0/spares=0",
                      "/cluster/pools/0/nodes=2", "/cluster/pools/0/racks=1",
                      "/cluster/pools/0/accelerators/per_node=8"}),
      exploration_of("scenarios/ray/head_lost.json"),
      exploration_of("scenarios/paired.json"),
      exploration_of("scenarios/quickstart.json"),
  };
  for (const ExplorePlan& plan : plans) {
    constexpr std::uint64_t kSeeds = 30;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const std::string text = policies::text_from_json(explored_scenario(plan.base, seed));
      EXPECT_TRUE(std::holds_alternative<scenario::ReadScenario>(
          scenario::read_scenario_text(text, "generator")))
          << text;
    }
  }
}

// Half of the seeds, within four standard errors of a fair coin: 2 * sqrt(n) of n tosses.
TEST(ScenarioGenerator, AFamilyIsOnForHalfOfTheSeeds) {
  const ExplorePlan plan = ring_exploration();
  int on = 0;
  constexpr int kSeeds = 400;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto scenario = swarm_scenario(plan.base, static_cast<std::uint64_t>(seed));
    on += std::ranges::any_of(scenario["faults"],
                              [](const auto& fault) { return fault["kind"] == "hang"; })
              ? 1
              : 0;
  }
  EXPECT_NEAR(on, kSeeds / 2, 2 * 20);
}

// A branch keeps faults of its parent, which struck by then, and has others behind them.
TEST(ScenarioGenerator, EveryFourthSeedBranches) {
  const ExplorePlan plan = ring_exploration();
  int branches = 0;
  for (std::uint64_t seed = 3; seed < 200; seed += 4) {
    const auto made = explored_scenario(plan.base, seed);
    EXPECT_EQ(made, explored_scenario(plan.base, seed));
    if (made == swarm_scenario(plan.base, seed)) {
      continue;  // nothing had struck a recovery
    }
    ++branches;
    const std::uint64_t parent_seed = made["seed"];
    EXPECT_LT(parent_seed, seed);
    EXPECT_GE(parent_seed + 3, seed);
    const auto parent = swarm_scenario(plan.base, parent_seed);
    int others = 0;
    for (const auto& fault : made["faults"]) {
      const bool inherited = std::ranges::find(parent["faults"], fault) != parent["faults"].end();
      EXPECT_NE(inherited, fault["id"].get<std::string>().starts_with("branch"));
      others += inherited ? 0 : 1;
    }
    EXPECT_LE(others, 3);
    EXPECT_EQ(made["cluster"], parent["cluster"]);
  }
  EXPECT_GT(branches, 25);
  EXPECT_EQ(explored_scenario(plan.base, 5), swarm_scenario(plan.base, 5));
}

// Quickstart's job takes 2d 19h of the 3 d that its scenario has, and would take 6d 22h with a
// checkpoint after each step: neither may be what a search finds.
// Fixed detection replaces the collective timeout, by which pods that wait for a lost one give up.
TEST(ScenarioGenerator, WhoeverHasToGiveUpByItselfMay) {
  struct OfPolicy {
    const char* policy;
    bool fixed;
  };
  for (const OfPolicy& each : {OfPolicy{"job", false}, OfPolicy{"kubeflow", false},
                               OfPolicy{"torchrun", false}, OfPolicy{"ray_train_v1", true}}) {
    scenario::ReadOptions options;
    options.policy = std::get<scenario::PolicySpec>(scenario::policy_named(each.policy));
    auto read = scenario::read_scenario_file("scenarios/ring16.json", options);
    const auto plan = std::get<ExplorePlan>(make_exploration(
        std::get<scenario::ReadScenario>(read).scenario, 0, "ring16.json", "test"));
    bool fixed = false;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      fixed |= swarm_scenario(plan.base, seed)["jobs"][0].contains("detection");
    }
    EXPECT_EQ(fixed, each.fixed) << each.policy;
  }
}

TEST(Explore, WhatIsTriedHasTheTimeThatItTakes) {
  const ExplorePlan plan = exploration_of("scenarios/quickstart.json");
  EXPECT_EQ(plan.base.bare["until"], std::to_string(4 * plan.base.healthy_us) + "us");
  EXPECT_GT(plan.base.save_every_steps, 1U);
  EXPECT_EQ(ring_exploration().base.bare["until"], "1d");
  EXPECT_EQ(ring_exploration().base.save_every_steps, 1U);
}

TEST(Explore, GoesOnWhereItWasEndedAndRepeatsNothing) {
  const ExplorePlan plan = ring_exploration();
  const auto search = [&plan](const std::string& path, std::uint32_t seeds) {
    auto store =
        std::get<ExploreStore>(ExploreStore::open(path, plan.digest, plan.coverage->names()));
    const std::int64_t before = store.runs();
    const auto pool = sweep::make_process_pool(plan.plan, {2, {}});
    EXPECT_EQ(explore(plan, store, *pool, {seeds, [](std::int64_t) { return true; }}).ended,
              sweep::Ended::kDone);
    return store.runs() - before;
  };
  const std::string path = fresh_file("explore_resumed.sqlite");
  EXPECT_EQ(search(path, 40), 40);
  EXPECT_EQ(search(path, 100), 60);
  EXPECT_EQ(search(path, 100), 0);
  const std::string whole = fresh_file("explore_whole.sqlite");
  EXPECT_EQ(search(whole, 100), 100);
  auto first =
      std::get<ExploreStore>(ExploreStore::open(path, plan.digest, plan.coverage->names()));
  auto other =
      std::get<ExploreStore>(ExploreStore::open(whole, plan.digest, plan.coverage->names()));
  for (std::size_t i = 0; i < plan.coverage->names().size(); ++i) {
    EXPECT_EQ(first.covered()[i].runs, other.covered()[i].runs) << plan.coverage->names()[i];
    EXPECT_EQ(first.covered()[i].first_seed, other.covered()[i].first_seed);
  }
  EXPECT_EQ(first.failures().size(), other.failures().size());
}

// A scenario that cannot be read makes no run: it is told apart, with why, and the rest of the
// search goes on.
TEST(Explore, ASeedWithoutAScenarioIsToldApart) {
  ExplorePlan plan = ring_exploration();
  plan.plan.cells[0].text_of = [base = plan.base](std::uint64_t seed) {
    auto scenario = swarm_scenario(base, seed);
    if (seed == 3) {
      scenario["jobs"][0]["steps"] = "many";
    }
    return policies::text_from_json(scenario);
  };
  auto store = std::get<ExploreStore>(ExploreStore::open(fresh_file("explore_unreadable.sqlite"),
                                                         plan.digest, plan.coverage->names()));
  const auto pool = sweep::make_process_pool(plan.plan, {1, {}});
  const ExploreResult result = explore(plan, store, *pool, {8, [](std::int64_t) { return true; }});
  EXPECT_EQ(result.ended, sweep::Ended::kDone);
  EXPECT_TRUE(result.troubles.empty());
  EXPECT_EQ(store.runs(), 8);
  const auto failures = store.failures();
  const auto found = std::ranges::find(failures, std::uint64_t{3}, &FoundFailure::seed);
  ASSERT_NE(found, failures.end());
  EXPECT_EQ(found->failure.id, kNoScenario);
  EXPECT_TRUE(found->known);
  EXPECT_NE(found->failure.words.find("/jobs/0/steps"), std::string::npos) << found->failure.words;
}

// Nothing branches off a parent that cannot be read.
TEST(Explore, ABranchOfWhatCannotBeReadIsAScenarioOfItsOwn) {
  GeneratorBase base = ring_exploration().base;
  base.bare["jobs"][0]["steps"] = "many";
  EXPECT_EQ(explored_scenario(base, 3), swarm_scenario(base, 3));
}

TEST(Explore, AFileOfAnotherSearchIsRefused) {
  const std::string path = fresh_file("explore_other.sqlite");
  ASSERT_TRUE(std::holds_alternative<ExploreStore>(ExploreStore::open(path, "a", {"x"})));
  const auto refused = ExploreStore::open(path, "b", {"x"});
  ASSERT_TRUE(std::holds_alternative<std::string>(refused));
  EXPECT_NE(std::get<std::string>(refused).find("another search"), std::string::npos);
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Somebody's database, or text, is left as it was, to the byte; an empty file may become one.
TEST(Explore, AFileThatIsNoneIsNotWritten) {
  const std::string foreign = fresh_file("explore_foreign.sqlite");
  {
    reports::Database database(foreign, reports::Database::Mode::kCreate);
    database.execute("create table mine (x integer); insert into mine values (7)");
    ASSERT_TRUE(database.good());
  }
  const std::string text = fresh_file("explore_text.sqlite");
  std::ofstream(text) << "this is not a database, though it is long enough to be looked at as one";
  for (const std::string& path : {foreign, text}) {
    const std::string before = bytes_of(path);
    const auto refused = ExploreStore::open(path, "a", {"x"});
    ASSERT_TRUE(std::holds_alternative<std::string>(refused)) << path;
    EXPECT_NE(std::get<std::string>(refused).find("is not the file of a search"), std::string::npos)
        << std::get<std::string>(refused);
    EXPECT_EQ(bytes_of(path), before) << path;
    EXPECT_FALSE(std::filesystem::exists(path + "-wal"));
  }
  const std::string empty = fresh_file("explore_empty.sqlite");
  std::ofstream{empty};
  EXPECT_TRUE(std::holds_alternative<ExploreStore>(ExploreStore::open(empty, "a", {"x"})));
  EXPECT_TRUE(
      std::holds_alternative<std::string>(ExploreStore::open(::testing::TempDir(), "a", {"x"})));
}

TEST(Explore, OneAtATimeWritesAFile) {
  const std::string path = fresh_file("explore_busy.sqlite");
  {
    auto first = ExploreStore::open(path, "a", {"x"});
    ASSERT_TRUE(std::holds_alternative<ExploreStore>(first));
    const auto second = ExploreStore::open(path, "a", {"x"});
    ASSERT_TRUE(std::holds_alternative<std::string>(second));
    EXPECT_NE(std::get<std::string>(second).find("is being written by another search"),
              std::string::npos);
    auto& store = std::get<ExploreStore>(first);
    store.add(0, {.marks = {}});
    store.add(3, {.marks = {}, .failure = {}, .state = 2, .why = "exhausted(a)"});
    store.commit();
    EXPECT_EQ(store.problem(), "");
  }
  auto again = ExploreStore::open(path, "a", {"x"});
  ASSERT_TRUE(std::holds_alternative<ExploreStore>(again));
  auto& store = std::get<ExploreStore>(again);
  EXPECT_TRUE(store.has(0));
  EXPECT_FALSE(store.has(1));
  const std::vector<KeptRun> runs = store.stored();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].why, "");
  EXPECT_EQ(runs[1].seed, 3U);
  EXPECT_EQ(runs[1].state, 2);
  EXPECT_EQ(runs[1].why, "exhausted(a)");
}

}  // namespace
}  // namespace aftershock::sim::chaos
