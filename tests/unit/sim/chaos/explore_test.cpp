#include "sim/chaos/explore.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "sim/sweep/process_crew.h"

namespace aftershock::sim {
namespace {

ExplorePlan ring_exploration() {
  auto read = read_scenario_file("scenarios/ring16.json");
  return std::get<ExplorePlan>(
      make_exploration(std::get<ReadScenario>(read).scenario, 0, "ring16.json", "test"));
}

std::string fresh_file(const std::string& name) {
  const std::string path = ::testing::TempDir() + name;
  for (const char* end : {"", "-wal", "-shm"}) {
    std::filesystem::remove(path + end);
  }
  return path;
}

TEST(Swarm, EverySeedIsAScenario) {
  const ExplorePlan plan = ring_exploration();
  std::set<std::string> texts;
  constexpr std::uint64_t kSeeds = 300;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const std::string text = swarm_scenario(plan.base, seed).dump();
    EXPECT_TRUE(std::holds_alternative<ReadScenario>(read_scenario_text(text, "swarm"))) << text;
    EXPECT_EQ(text, swarm_scenario(plan.base, seed).dump());
    texts.insert(text);
  }
  EXPECT_EQ(texts.size(), kSeeds);
}

// Half of the seeds, within four standard errors of a fair coin: 2 * sqrt(n) of n tosses.
TEST(Swarm, AFamilyIsOnForHalfOfTheSeeds) {
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

TEST(Explore, GoesOnWhereItWasEndedAndRepeatsNothing) {
  const ExplorePlan plan = ring_exploration();
  const auto search = [&plan](const std::string& path, std::uint32_t seeds) {
    auto store =
        std::get<ExploreStore>(ExploreStore::open(path, plan.digest, plan.coverage->names()));
    const std::int64_t before = store.runs();
    const auto crew = make_process_crew(plan.plan, {2, {}});
    EXPECT_EQ(explore(plan, store, *crew, {seeds, [](std::int64_t) { return true; }}).ended,
              Ended::kDone);
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

TEST(Explore, AFileOfAnotherSearchIsRefused) {
  const std::string path = fresh_file("explore_other.sqlite");
  ASSERT_TRUE(std::holds_alternative<ExploreStore>(ExploreStore::open(path, "a", {"x"})));
  const auto refused = ExploreStore::open(path, "b", {"x"});
  ASSERT_TRUE(std::holds_alternative<std::string>(refused));
  EXPECT_NE(std::get<std::string>(refused).find("another search"), std::string::npos);
}

/// A row, and what is found in it; empty: nothing.
struct FailureCase {
  reports::Verdict verdict;
  const char* outcome;
  const char* reason;
  const char* id;
  bool known;
};

TEST(Explore, FailuresAreToldByTheirIds) {
  using enum reports::Verdict;
  const FailureCase cases[] = {
      {kPassed, "completed", "", "", false},
      {kPassed, "failed", "exhausted(max_failures)", "", false},
      {kPassed, "running", "", "running", false},
      {kStuck, "running", "job a waits", "stuck", false},
      {kStuck, "running", "16 left reserved by job a", "stuck", true},
      {kFailed, "completed", "invariant S07 violated", "S07", false},
      {kInternalError, "unknown", "its worker died 2 times", "internal_error", false},
      {kInconclusive, "running", "stopped after 200000", "inconclusive", false},
  };
  for (const FailureCase& each : cases) {
    reports::RunRow row;
    row.verdict = each.verdict;
    row.outcome = each.outcome;
    row.reason = each.reason;
    const auto found = failure_in(row, "ray_train@2026-05");
    EXPECT_EQ(found ? found->failure.id : "", each.id) << each.reason;
    EXPECT_EQ(found && found->known, each.known) << each.reason;
  }
}

}  // namespace
}  // namespace aftershock::sim
