#include "policies/torchrun/agents.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace aftershock::policies::torchrun {
namespace {

/// Feeds one batch; what is answered is the case files' matter.
void feed(Torchrun& group, std::uint64_t seq, std::vector<Event> events) {
  static_cast<void>(
      group.on_events({seq, static_cast<TimeUs>(seq) * kSecondUs, std::move(events)}, View{}));
}

TEST(Torchrun, ACopyGoesItsOwnWay) {
  Torchrun group({.max_restarts = 1, .nproc_per_node = 2});
  feed(group, 1, {JobSubmitted{0, 4}});
  feed(group, 2, {AttemptRunning{0, 1}});
  const auto copy = group.clone();
  feed(group, 3, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(3, 4)}});
  EXPECT_EQ(group.budgets()[0].used, 1);
  EXPECT_EQ(copy->budgets()[0].used, 0);
}

TEST(Torchrun, StoresTheCountsOfItsAgents) {
  Torchrun group({.max_restarts = 1, .nproc_per_node = 2});
  EXPECT_TRUE(group.durable(0).is_null());
  feed(group, 1, {JobSubmitted{0, 4}});
  feed(group, 2, {AttemptRunning{0, 1}});
  feed(group, 3, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(3, 4)}});
  EXPECT_EQ(group.durable(0)["memory"]["restarts"], nlohmann::json::array({0, 1}));
}

struct Restarts {
  int clean = 0;
  int late = 0;  ///< one more failure, of all agents
  int dead = 0;  ///< until no restart is left
};

/// Of one kill, with each of so many seeds.
Restarts restarts_with_a_shared_store(std::uint64_t seeds) {
  Restarts found;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Torchrun group({.max_restarts = 5, .nproc_per_node = 2, .shares_store = true, .seed = seed});
    feed(group, 1, {JobSubmitted{0, 4}});
    feed(group, 2, {AttemptRunning{0, 1}});
    feed(group, 3, {WorkersFailed{.epoch = 1, .ranks = RankSet::range(3, 4)}});
    feed(group, 4, {Timer{}});  // the other agent sees that this one waits for it
    feed(group, 5, {WorkersStopped{.epoch = 1}});
    for (std::uint64_t later = 1; later <= 6; ++later) {
      feed(group, 5 + 33 * later, {Timer{}});
    }
    const std::int64_t used = group.budgets()[0].used;
    ++(used == 1 ? found.clean : used == 3 ? found.late : found.dead);
    EXPECT_EQ(group.info().states[group.state()], used <= 3 ? "HEALTHY" : "FAILED") << seed;
  }
  return found;
}

TEST(Torchrun, WithASharedStoreRestartsAreCleanLateAndDeadIn26And25And39Of90) {
  constexpr int kEach = 100;
  const Restarts found = restarts_with_a_shared_store(90 * kEach);
  constexpr int kFourDeviations = 200;  // of a binomial of 9000 at 39 of 90: 47 each
  EXPECT_NEAR(found.clean, 26 * kEach, kFourDeviations);
  EXPECT_NEAR(found.late, 25 * kEach, kFourDeviations);
  EXPECT_NEAR(found.dead, 39 * kEach, kFourDeviations);
}

}  // namespace
}  // namespace aftershock::policies::torchrun
