#include "sim/scheduling/queue.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::scheduling {
namespace {

using Holders = std::vector<std::uint32_t>;

Holders order(const Queue& queue) {
  Holders holders;
  for (const Waiter& waiter : queue.waiters(0)) {
    holders.push_back(waiter.holder);
  }
  return holders;
}

constexpr auto kPlenty = [] { return 100U; };

/// Holders that are asked in pool 0 with so many free nodes, of which each served one takes some.
Holders asked(Queue& queue, std::uint32_t free, const Holders& refused = {}) {
  Holders holders;
  queue.serve(
      0, [&] { return free; },
      [&](const Waiter& waiter) {
        holders.push_back(waiter.holder);
        const bool fits = std::ranges::find(refused, waiter.holder) == refused.end();
        free -= fits ? waiter.needed : 0;
        return fits;
      });
  return holders;
}

TEST(Queue, EqualsAreInTheOrderInWhichTheyCame) {
  Queue queue(1);
  queue.join({.holder = 2});
  queue.join({.holder = 0});
  queue.join({.holder = 1});
  EXPECT_EQ(order(queue), (Holders{2, 0, 1}));
}

TEST(Queue, HigherPrioritiesComeBeforeLowerOnes) {
  Queue queue(1);
  queue.join({.holder = 0, .priority = 1});
  queue.join({.holder = 1, .priority = 5});
  queue.join({.holder = 2, .priority = 3});
  EXPECT_EQ(order(queue), (Holders{1, 2, 0}));
}

TEST(Queue, AFirstJobComesBeforeAllOthersWhateverTheirPriority) {
  Queue queue(1);
  queue.join({.holder = 0, .priority = 9});
  queue.join({.holder = 1, .priority = 0, .first = true});
  queue.join({.holder = 2, .priority = 4, .first = true});
  queue.join({.holder = 3, .priority = 9});
  EXPECT_EQ(order(queue), (Holders{2, 1, 0, 3}));
}

TEST(Queue, AnExperimentGoesByPriorityAlone) {
  Queue queue(1);
  queue.join({.holder = 0, .priority = 1, .first = true});
  queue.join({.holder = 7, .priority = 2, .is_job = false});
  EXPECT_EQ(order(queue), (Holders{7, 0}));
}

TEST(Queue, TheServedLeaveAndTheOthersKeepTheirPlaces) {
  Queue queue(1);
  for (std::uint32_t holder = 0; holder < 5; ++holder) {
    queue.join({.holder = holder});
  }
  queue.serve(0, kPlenty, [](const Waiter& waiter) { return waiter.holder % 2 == 0; });
  EXPECT_EQ(order(queue), (Holders{1, 3}));
  EXPECT_TRUE(queue.leave(3));
  EXPECT_FALSE(queue.leave(3));
  EXPECT_EQ(order(queue), (Holders{1}));
}

TEST(Queue, AFirstJobThatDoesNotFitIsNotOvertakenByOneThatNeedsLess) {
  for (const std::uint32_t needed : {0U, 9U}) {
    Queue queue(1);
    queue.join({.holder = 0, .needed = 1});
    queue.join({.holder = 1, .first = true, .needed = needed});
    queue.join({.holder = 2, .first = true, .needed = 1});
    EXPECT_EQ(asked(queue, 3, {1}), needed == 0 ? (Holders{1, 2}) : (Holders{2}));
    EXPECT_EQ(order(queue), (Holders{1, 0}));
  }
}

TEST(Queue, AFirstJobOfAnotherPoolReservesNothing) {
  Queue queue(2);
  queue.join({.holder = 0});
  queue.join({.holder = 1, .first = true, .pool = 1, .needed = 9});
  EXPECT_EQ(asked(queue, 1), (Holders{0}));
  EXPECT_EQ(order(queue), (Holders{}));
}

TEST(Queue, NobodyIsAskedWhoNeedsMoreThanIsFree) {
  Queue queue(1);
  queue.join({.holder = 0, .needed = 3});
  queue.join({.holder = 1, .needed = 1});
  queue.join({.holder = 2, .needed = 0});
  queue.join({.holder = 3, .needed = 2});
  queue.join({.holder = 4, .needed = 1});
  EXPECT_EQ(asked(queue, 0), (Holders{2}));
  EXPECT_EQ(asked(queue, 2), (Holders{1, 4}));
  EXPECT_EQ(asked(queue, 2), (Holders{3}));
  EXPECT_EQ(order(queue), (Holders{0}));
}

TEST(Queue, JobsBehindAnExperimentAreAskedInTheirOrder) {
  Queue queue(1);
  queue.join({.holder = 0, .priority = 1});
  queue.join({.holder = 7, .priority = 1, .is_job = false});
  queue.join({.holder = 1, .priority = 1});
  queue.join({.holder = 2, .priority = 2});
  EXPECT_EQ(asked(queue, 1, {0, 7}), (Holders{2, 0, 7, 1}));
  EXPECT_TRUE(queue.leave(0));
  EXPECT_EQ(order(queue), (Holders{7}));
}

TEST(Queue, JobsAreUntoldUntilTheyAreToldAndExperimentsAlways) {
  Queue queue(2);
  queue.join({.holder = 0});
  queue.join({.holder = 1, .priority = 1});
  queue.join({.holder = 2, .pool = 1});
  EXPECT_EQ(queue.untold(0), (Holders{1, 0}));
  EXPECT_FALSE(queue.other_waits(0, 0));
  queue.tell(1);
  EXPECT_EQ(queue.untold(0), (Holders{0}));
  EXPECT_TRUE(queue.other_waits(0, 0));
  EXPECT_FALSE(queue.other_waits(0, 1));
  EXPECT_FALSE(queue.other_waits(1, 0));
  queue.leave(1);
  EXPECT_FALSE(queue.other_waits(0, 0));
  queue.join({.holder = 1, .priority = 1});
  queue.join({.holder = 7, .is_job = false});
  queue.tell(0);
  EXPECT_EQ(queue.untold(0), (Holders{1, 7}));
}

// Jobs that give up after a while and ask again, of several priorities, against a list that is
// sorted anew each time.
TEST(Queue, WhoComesAndGoesInTurnStandsWhereASortWouldPutThem) {
  constexpr std::uint32_t kJobs = 60;
  Queue queue(1);
  std::vector<Waiter> expected;
  const auto come = [&](std::uint32_t holder) {
    const Waiter waiter{.holder = holder,
                        .priority = static_cast<std::int32_t>(holder % 3),
                        .first = holder % 10 == 0};
    queue.join(waiter);
    expected.push_back(waiter);
  };
  for (std::uint32_t holder = 0; holder < kJobs; ++holder) {
    come(holder);
  }
  // 7 and 60 have no divisor in common: each goes and comes five times, never twice in a row.
  for (std::uint32_t turn = 0; turn < 5 * kJobs; ++turn) {
    const std::uint32_t holder = turn * 7 % kJobs;
    EXPECT_TRUE(queue.leave(holder));
    std::erase_if(expected, [&](const Waiter& waiter) { return waiter.holder == holder; });
    come(holder);
    std::vector<Waiter> sorted = expected;
    std::ranges::stable_sort(sorted, [](const Waiter& a, const Waiter& b) {
      return a.first != b.first ? a.first : a.priority > b.priority;
    });
    Holders holders;
    std::ranges::transform(sorted, std::back_inserter(holders), &Waiter::holder);
    ASSERT_EQ(order(queue), holders) << turn;
  }
}

TEST(Queue, ServingIsPlannedOnceUntilItBegins) {
  Queue queue(2);
  EXPECT_TRUE(queue.plan_serving(1));
  EXPECT_FALSE(queue.plan_serving(1));
  EXPECT_TRUE(queue.plan_serving(0));
  queue.begin_serving(1);
  EXPECT_TRUE(queue.plan_serving(1));
}

TEST(QueueDeathTest, PlacesDoNotMoveWhileTheyAreServed) {
  Queue queue(1);
  queue.join({.holder = 0});
  EXPECT_DEATH(queue.serve(0, kPlenty, [&](const Waiter&) { return queue.leave(0); }), "");
}

TEST(QueueDeathTest, AWaiterJoinsOnce) {
  Queue queue(1);
  queue.join({.holder = 4});
  EXPECT_DEATH(queue.join({.holder = 4}), "");
}

TEST(QueueDeathTest, OneServingIsOverBeforeTheNextBegins) {
  Queue queue(1);
  queue.join({.holder = 0});
  EXPECT_DEATH(queue.serve(0, kPlenty,
                           [&](const Waiter&) {
                             queue.serve(0, kPlenty, [](const Waiter&) { return false; });
                             return false;
                           }),
               "assertion failed");
  EXPECT_DEATH(queue.plan_serving(1), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::scheduling
