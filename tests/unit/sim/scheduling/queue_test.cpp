#include "sim/scheduling/queue.h"

#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

std::vector<std::uint32_t> order(const Queue& queue) {
  std::vector<std::uint32_t> holders;
  for (const Waiter& waiter : queue.waiters()) {
    holders.push_back(waiter.holder);
  }
  return holders;
}

TEST(Queue, EqualsAreInTheOrderInWhichTheyCame) {
  Queue queue(1);
  queue.join({.holder = 2});
  queue.join({.holder = 0});
  queue.join({.holder = 1});
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{2, 0, 1}));
}

TEST(Queue, HigherPrioritiesComeBeforeLowerOnes) {
  Queue queue(1);
  queue.join({.holder = 0, .priority = 1});
  queue.join({.holder = 1, .priority = 5});
  queue.join({.holder = 2, .priority = 3});
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(Queue, AFirstJobComesBeforeAllOthersWhateverTheirPriority) {
  Queue queue(1);
  queue.join({.holder = 0, .priority = 9});
  queue.join({.holder = 1, .priority = 0, .first = true});
  queue.join({.holder = 2, .priority = 4, .first = true});
  queue.join({.holder = 3, .priority = 9});
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{2, 1, 0, 3}));
}

TEST(Queue, AnExperimentGoesByPriorityAlone) {
  Queue queue(1);
  queue.join({.holder = 0, .priority = 1, .first = true});
  queue.join({.holder = 7, .priority = 2, .is_job = false});
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{7, 0}));
}

TEST(Queue, TheServedLeaveAndTheOthersKeepTheirPlaces) {
  Queue queue(1);
  for (std::uint32_t holder = 0; holder < 5; ++holder) {
    queue.join({.holder = holder});
  }
  queue.serve(
      [](const Waiter& waiter) { return waiter.holder % 2 == 0 ? Served::kWhole : Served::kNot; });
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_TRUE(queue.leave(3));
  EXPECT_FALSE(queue.leave(3));
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{1}));
}

TEST(Queue, AFirstJobThatDoesNotFitIsNotOvertakenByOneThatNeedsLess) {
  Queue queue(1);
  queue.join({.holder = 0});
  queue.join({.holder = 1, .first = true});
  std::vector<std::uint32_t> asked;
  queue.serve([&](const Waiter& waiter) {
    asked.push_back(waiter.holder);
    return waiter.holder == 1 ? Served::kNot : Served::kWhole;
  });
  EXPECT_EQ(asked, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{1, 0}));
}

TEST(Queue, AFirstJobOfAnotherPoolReservesNothing) {
  Queue queue(2);
  queue.join({.holder = 0});
  queue.join({.holder = 1, .first = true});
  queue.serve([](const Waiter& waiter) {
    return waiter.holder == 1 ? Served::kElsewhere : Served::kWhole;
  });
  EXPECT_EQ(order(queue), (std::vector<std::uint32_t>{1}));
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
  EXPECT_DEATH(queue.serve([&](const Waiter&) {
    queue.leave(0);
    return Served::kNot;
  }),
               "");
}

TEST(QueueDeathTest, AWaiterJoinsOnce) {
  Queue queue(1);
  queue.join({.holder = 4});
  EXPECT_DEATH(queue.join({.holder = 4}), "");
}

TEST(QueueDeathTest, OneServingIsOverBeforeTheNextBegins) {
  Queue queue(1);
  queue.join({.holder = 0});
  EXPECT_DEATH(queue.serve([&](const Waiter&) {
    queue.serve([](const Waiter&) { return Served::kNot; });
    return Served::kNot;
  }),
               "assertion failed");
  EXPECT_DEATH(queue.plan_serving(1), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim
