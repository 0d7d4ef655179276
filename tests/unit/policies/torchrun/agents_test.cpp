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

}  // namespace
}  // namespace aftershock::policies::torchrun
