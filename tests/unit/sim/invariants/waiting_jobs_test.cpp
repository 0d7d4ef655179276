#include "sim/invariants/waiting_jobs.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::invariants {
namespace {

using Fits = std::vector<std::pair<std::uint32_t, std::int64_t>>;  // job, and since when

/// A look at that many free nodes of each pool, when the one before was at `looked_us`.
Fits look(WaitingJobs& waiting, std::int64_t looked_us, const std::vector<std::uint32_t>& free) {
  Fits fits;
  waiting.look(
      looked_us, [&](std::uint32_t pool) { return free[pool]; },
      [&](const WaitingJobs::Place& place, std::int64_t& since_us) {
        fits.emplace_back(place.job, since_us);
      });
  return fits;
}

TEST(WaitingJobs, AJobFitsSinceTheLookBeforeTheFirstAtWhichThereIsEnough) {
  WaitingJobs waiting(3, 1);
  waiting.join(0, 0, false, 2);
  EXPECT_EQ(look(waiting, 10, {1}), (Fits{}));
  EXPECT_EQ(look(waiting, 20, {2}), (Fits{{0, 20}}));
  EXPECT_EQ(look(waiting, 30, {3}), (Fits{{0, 20}}));
  EXPECT_EQ(look(waiting, 40, {1}), (Fits{}));
  EXPECT_EQ(look(waiting, 50, {2}), (Fits{{0, 50}}));
}

TEST(WaitingJobs, JobsAreLookedAtInTheOrderInWhichTheyCame) {
  WaitingJobs waiting(4, 2);
  waiting.join(3, 1, false, 1);
  waiting.join(2, 0, false, 2);
  waiting.join(1, 0, false, 1);
  waiting.join(0, 0, false, 3);
  EXPECT_EQ(look(waiting, 10, {2, 1}), (Fits{{3, 10}, {2, 10}, {1, 10}}));
}

TEST(WaitingJobs, OneThatComesAgainFitsAnew) {
  WaitingJobs waiting(2, 1);
  waiting.join(0, 0, false, 1);
  waiting.join(1, 0, false, 1);
  EXPECT_EQ(look(waiting, 10, {1}), (Fits{{0, 10}, {1, 10}}));
  waiting.leave(1);
  waiting.join(0, 0, false, 1);
  waiting.join(1, 0, false, 1);
  EXPECT_EQ(look(waiting, 20, {1}), (Fits{{0, 20}, {1, 20}}));
  waiting.leave(0);
  waiting.leave(0);
  EXPECT_EQ(look(waiting, 30, {1}), (Fits{{1, 20}}));
  waiting.leave(1);
  EXPECT_TRUE(waiting.empty());
  EXPECT_EQ(look(waiting, 40, {1}), (Fits{}));
}

TEST(WaitingJobs, AFirstJobKeepsOthersOfItsPoolFromFitting) {
  WaitingJobs waiting(3, 2);
  waiting.join(0, 0, false, 1);
  waiting.join(1, 1, false, 1);
  EXPECT_EQ(look(waiting, 10, {1, 1}), (Fits{{0, 10}, {1, 10}}));
  waiting.join(2, 0, true, 2);
  EXPECT_EQ(look(waiting, 20, {1, 1}), (Fits{{1, 10}}));
  waiting.leave(2);
  EXPECT_EQ(look(waiting, 30, {1, 1}), (Fits{{0, 30}, {1, 10}}));
}

}  // namespace
}  // namespace aftershock::sim::invariants
