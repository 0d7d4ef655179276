#include "sim/core/run_core.h"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aftershock::sim::core {
namespace {

RunCore core_until(std::optional<std::int64_t> until_us, std::int64_t max_entries = 1000) {
  auto scenario = std::make_shared<scenario::Scenario>();
  scenario->until_us = until_us;
  return {std::move(scenario), nullptr, nullptr, max_entries};
}

// Plays what is left, and says which kinds came.
std::vector<EntryKind> play(RunCore& core) {
  std::vector<EntryKind> kinds;
  while (!core.over() && !core.calendar().empty()) {
    const engine::Entry entry = core.calendar().pop();
    core.begin(entry);
    kinds.push_back(kind_of(entry));
    core.check_length();
  }
  return kinds;
}

TEST(RunCore, PlaysKindsOfOneMomentInTheOrderOfTheirClasses) {
  RunCore core = core_until(100);
  core.schedule(EntryKind::kHorizon, 100);
  core.schedule(EntryKind::kServeQueue, 100);
  core.schedule(EntryKind::kPoll, 100);
  core.schedule(EntryKind::kPlacementLimit, 100);
  core.schedule(EntryKind::kHangRule, 100);
  core.schedule(EntryKind::kNodeBack, 100);
  core.schedule(EntryKind::kStageOver, 100);
  core.schedule(EntryKind::kDeliver, 99);
  EXPECT_THAT(play(core),
              testing::ElementsAre(EntryKind::kDeliver, EntryKind::kStageOver, EntryKind::kNodeBack,
                                   EntryKind::kHangRule, EntryKind::kPlacementLimit,
                                   EntryKind::kPoll, EntryKind::kServeQueue, EntryKind::kHorizon));
  EXPECT_EQ(core.now_us(), 100);
  EXPECT_EQ(core.entries_played(), 8);
}

TEST(RunCore, HandsEntriesOnAsTheyWereScheduled) {
  RunCore core = core_until(100);
  core.schedule(EntryKind::kNodeBack, 7, {.entity = 3, .epoch = 2, .arg = 1});
  const engine::Entry entry = core.calendar().pop();
  EXPECT_EQ(entry.t_us, 7);
  EXPECT_EQ(entry.entity, 3U);
  EXPECT_EQ(entry.epoch, 2U);
  EXPECT_EQ(entry.arg, 1);
}

TEST(RunCore, DropsEveryEntryOfAKind) {
  RunCore core = core_until(100);
  core.schedule(EntryKind::kArrival, 5);
  core.schedule(EntryKind::kScripted, 6);
  core.schedule(EntryKind::kArrival, 7);
  core.drop(EntryKind::kArrival);
  EXPECT_THAT(play(core), testing::ElementsAre(EntryKind::kScripted));
}

TEST(RunCore, CutsARunShortThatHasHadItsMostEntries) {
  RunCore core = core_until(100, 2);
  for (int i = 0; i < 5; ++i) {
    core.schedule(EntryKind::kPoll, i);
  }
  EXPECT_EQ(play(core).size(), 2U);
  EXPECT_EQ(core.cut_short_by(), "stopped after 2 calendar entries (--max-events)");
}

TEST(RunCore, KeepsTheFirstReasonOfAPolicyThatAnswersNoMore) {
  RunCore core = core_until(100);
  EXPECT_FALSE(core.policy_failed());
  core.policy_fails("its process has died");
  core.policy_fails("it does not answer");
  EXPECT_TRUE(core.over());
  EXPECT_TRUE(core.policy_failed());
  EXPECT_EQ(core.cut_short_by(), "its process has died");
}

TEST(RunCore, EndsWithoutAHorizonWhereSumsOfAcceleratorTimeStillFit) {
  EXPECT_EQ(core_until(100).horizon_us(), 100);
  auto scenario = std::make_shared<scenario::Scenario>();
  scenario->cluster.pools.resize(1);
  scenario->cluster.pools[0].max_nodes = 100'000;
  scenario->cluster.pools[0].accelerators_per_node = 16;
  const std::int64_t accelerators = 1'600'000;
  const RunCore core(scenario, nullptr, nullptr, 1);
  EXPECT_LE(core.horizon_us(), (std::int64_t{1} << 62U) / accelerators);
  EXPECT_GT(core.horizon_us(), std::int64_t{1} << 41U);
}

TEST(RunCore, GoesOnByItselfAsACopy) {
  RunCore core = core_until(100);
  core.schedule(EntryKind::kPoll, 1);
  RunCore copy = core;
  play(copy);
  EXPECT_EQ(core.now_us(), 0);
  EXPECT_EQ(core.calendar().size(), 1U);
}

TEST(RunCoreDeathTest, TimeNeverGoesBackAndNothingIsPlayedBehindTheEnd) {
  RunCore core = core_until(100);
  core.schedule(EntryKind::kPoll, 7);
  const engine::Entry entry = core.calendar().pop();
  core.begin(entry);
  EXPECT_DEATH(core.schedule(EntryKind::kPoll, 6), "assertion failed");
  EXPECT_DEATH(core.move_to(6), "assertion failed");
  core.end();
  EXPECT_DEATH(core.begin(entry), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::core
