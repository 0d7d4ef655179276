#include "sim/orphans/orphans.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::orphans {
namespace {

constexpr std::int64_t kSecondUs = 1'000'000;

/// Accelerator seconds by job.
std::map<std::uint32_t, std::int64_t> seconds(const std::vector<StaleTime>& stale) {
  std::map<std::uint32_t, std::int64_t> sums;
  for (const StaleTime& each : stale) {
    sums[each.job] += each.accelerator_us / kSecondUs;
  }
  return sums;
}

using Sums = std::map<std::uint32_t, std::int64_t>;

Zombies zombies(std::uint32_t job, std::uint32_t node, std::uint32_t fault,
                std::optional<std::int64_t> until_s = std::nullopt) {
  return {.job = job,
          .fault = fault,
          .node = node,
          .accelerators = 8,
          .since_us = 100 * kSecondUs,
          .until_us = until_s ? std::optional(*until_s * kSecondUs) : std::nullopt};
}

OrphanedAttempt attempt(std::uint32_t job, std::vector<std::uint32_t> nodes) {
  return {.job = job, .epoch = 3, .nodes = std::move(nodes), .workers = 4};
}

TEST(Orphans, ZombiesKeepTheirAcceleratorsUntilTheyEndOrAreEnded) {
  struct Row {
    std::optional<std::int64_t> until_s;
    std::int64_t now_s;
    std::int64_t busy_s;  ///< of each of eight accelerators
  };
  const Row rows[] = {{std::nullopt, 150, 50}, {120, 150, 20}, {200, 150, 50}, {90, 150, 0}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.busy_s);
    Orphans orphans;
    orphans.leave(zombies(2, 0, 7, row.until_s));
    EXPECT_EQ(seconds(orphans.end_all(row.now_s * kSecondUs)), (Sums{{2, 8 * row.busy_s}}));
    EXPECT_TRUE(orphans.end_all(row.now_s * kSecondUs).empty());
  }
}

// Node 1 is behind the cut 9, too: its zombies wait for the end of that one.
TEST(Orphans, EndWithTheCutThatKeptThemFromHearing) {
  Orphans orphans;
  orphans.leave(zombies(0, 0, 5));
  orphans.leave(zombies(0, 1, 5));
  orphans.leave(zombies(1, 0, 6));
  const auto still_cut = [](std::uint32_t job, std::uint32_t node) -> std::optional<std::uint32_t> {
    return job == 0 && node == 1 ? std::optional(9U) : std::nullopt;
  };
  EXPECT_EQ(seconds(orphans.cut_ended(5, 110 * kSecondUs, still_cut)), (Sums{{0, 80}}));
  const auto none = [](std::uint32_t, std::uint32_t) -> std::optional<std::uint32_t> {
    return std::nullopt;
  };
  EXPECT_TRUE(orphans.cut_ended(5, 120 * kSecondUs, none).empty());
  EXPECT_EQ(seconds(orphans.cut_ended(9, 130 * kSecondUs, none)), (Sums{{0, 240}}));
  EXPECT_EQ(seconds(orphans.end_all(140 * kSecondUs)), (Sums{{1, 320}}));
}

TEST(Orphans, AnAttemptTrainsOnUntilOneOfItsNodesHears) {
  Orphans orphans;
  const std::uint32_t number = orphans.add(attempt(0, {4, 5}));
  EXPECT_TRUE(orphans.train_on(0, 3));
  EXPECT_FALSE(orphans.train_on(0, 2));
  EXPECT_FALSE(orphans.train_on(1, 3));
  std::uint32_t deaf_from = 4;
  const auto cut_of = [&](std::uint32_t, std::uint32_t node) -> std::optional<std::uint32_t> {
    return node >= deaf_from ? std::optional(1U) : std::nullopt;
  };
  EXPECT_TRUE(orphans.cut_ended(0, 1, cut_of).empty());
  EXPECT_TRUE(orphans.train_on(0, 3));
  deaf_from = 5;
  EXPECT_TRUE(orphans.cut_ended(0, 1, cut_of).empty());
  EXPECT_FALSE(orphans.train_on(0, 3));
  EXPECT_TRUE(orphans.attempt(number).gone);
}

TEST(Orphans, ZombiesEndWithTheAttemptThatStorageTurnsAway) {
  Orphans orphans;
  const std::uint32_t number = orphans.add(attempt(0, {4, 5}));
  orphans.leave(zombies(0, 4, 1));
  orphans.leave(zombies(0, 6, 1));
  orphans.leave(zombies(1, 5, 1));
  orphans.end_attempt(number);
  EXPECT_EQ(seconds(orphans.end_on(orphans.attempt(number), 110 * kSecondUs)), (Sums{{0, 80}}));
  EXPECT_EQ(seconds(orphans.end_all(110 * kSecondUs)), (Sums{{0, 80}, {1, 80}}));
}

// A checkpoint every 100 steps of 1 s; 2 s stop training, and 10 GB go at 1 GB/s where there is a
// storage. Half of the workers take twice as long for the steps.
TEST(Orphans, TheNextCheckpointIsThereAfterItsWorkItsStopAndItsTransfer) {
  struct Row {
    bool storage;
    std::uint32_t workers;
    std::int64_t steps;
    std::optional<std::int64_t> next_s;
  };
  const Row rows[] = {{false, 4, 1000, 1102},
                      {true, 4, 1000, 1112},
                      {true, 2, 1000, 1212},
                      {true, 4, 80, std::nullopt}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.next_s.value_or(0));
    scenario::JobSpec job;
    job.workers = 4;
    job.steps = row.steps;
    job.step_us = kSecondUs;
    job.checkpoint.emplace();
    job.checkpoint->every_steps = 100;
    job.checkpoint->blocking_us = 2 * kSecondUs;
    job.checkpoint->bytes = 10'000'000'000;
    if (row.storage) {
      job.run.storage = 0;
    }
    Orphans orphans;
    OrphanedAttempt orphan = attempt(0, {0});
    orphan.workers = row.workers;
    const std::uint32_t number = orphans.add(orphan);
    const auto next_us = orphans.next_save_us(number, job, 1'000'000'000, 1000 * kSecondUs);
    ASSERT_EQ(next_us.has_value(), row.next_s.has_value());
    if (row.next_s) {
      EXPECT_EQ(*next_us, *row.next_s * kSecondUs);
      EXPECT_EQ(orphans.attempt(number).work_us, 100 * kSecondUs);
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::orphans
