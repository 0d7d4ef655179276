#include "sim/engine/calendar.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

constexpr std::array<EntryClass, 8> kClasses{EntryClass::kCompletion,  EntryClass::kFault,
                                             EntryClass::kObservation, EntryClass::kCommandResult,
                                             EntryClass::kTimer,       EntryClass::kPoll,
                                             EntryClass::kScheduling,  EntryClass::kHorizon};

std::vector<std::uint32_t> popped(Calendar calendar) {
  std::vector<std::uint32_t> order;
  while (!calendar.empty()) {
    order.push_back(calendar.pop().entity);
  }
  return order;
}

using Order = std::vector<std::uint32_t>;

TEST(Calendar, EarlierComesFirstWhateverItsClass) {
  Calendar calendar;
  calendar.push(11, EntryClass::kCompletion, 0, 3);
  calendar.push(10, EntryClass::kHorizon, 0, 1);
  calendar.push(10'000'000'000'000, EntryClass::kCompletion, 0, 4);
  calendar.push(0, EntryClass::kPoll, 0, 0);
  calendar.push(10, EntryClass::kHorizon, 0, 2);
  EXPECT_EQ(popped(calendar), (Order{0, 1, 2, 3, 4}));
}

// Design section 3: completion < fault < observation < command result < timer < poll; then what
// ends a microsecond: scheduling, horizon.
TEST(Calendar, EveryPairOfClassesOfOneMicrosecond) {
  for (std::uint32_t first = 0; first < kClasses.size(); ++first) {
    for (std::uint32_t second = first + 1; second < kClasses.size(); ++second) {
      Calendar forwards;
      forwards.push(5, kClasses[first], 0, first);
      forwards.push(5, kClasses[second], 0, second);
      EXPECT_EQ(popped(forwards), (Order{first, second}));
      Calendar backwards;
      backwards.push(5, kClasses[second], 0, second);
      backwards.push(5, kClasses[first], 0, first);
      EXPECT_EQ(popped(backwards), (Order{first, second}));
    }
  }
}

TEST(Calendar, LikeEntriesComeInTheOrderOfInsertion) {
  Calendar calendar;
  Order wanted;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    calendar.push(7, EntryClass::kFault, 0, i);
    wanted.push_back(i);
  }
  EXPECT_EQ(popped(calendar), wanted);
}

TEST(Calendar, SequenceGoesOnWhenEntriesAreTaken) {
  Calendar calendar;
  calendar.push(7, EntryClass::kFault, 0, 0);
  calendar.push(7, EntryClass::kFault, 0, 1);
  EXPECT_EQ(calendar.pop().entity, 0U);
  calendar.push(7, EntryClass::kFault, 0, 2);
  EXPECT_EQ(popped(calendar), (Order{1, 2}));
}

TEST(Calendar, GivesBackWhatWasPushed) {
  Calendar calendar;
  EXPECT_TRUE(calendar.empty());
  calendar.push(42, EntryClass::kTimer, 9, 8, 7, -6);
  EXPECT_EQ(calendar.size(), 1U);
  EXPECT_EQ(calendar.top().t_us, 42);
  const Entry entry = calendar.pop();
  EXPECT_EQ(entry.t_us, 42);
  EXPECT_EQ(entry.kind, 9);
  EXPECT_EQ(entry.entity, 8U);
  EXPECT_EQ(entry.epoch, 7U);
  EXPECT_EQ(entry.arg, -6);
  EXPECT_TRUE(calendar.empty());
}

TEST(Calendar, ACopyHasTheSameFuture) {
  Calendar calendar;
  for (std::uint32_t i = 0; i < 100; ++i) {
    calendar.push((i * 37) % 11, kClasses[i % kClasses.size()], 0, i);
  }
  const Order whole = popped(calendar);
  const Order again = popped(calendar);
  EXPECT_EQ(whole.size(), 100U);
  EXPECT_EQ(whole, again);
}

TEST(CalendarDeathTest, RefusesTimesBeforeTheStart) {
  Calendar calendar;
  EXPECT_DEATH(calendar.push(-1, EntryClass::kFault, 0, 0), "assertion failed");
}

TEST(Calendar, DropsAKindAndKeepsTheOrderOfTheOthers) {
  Calendar calendar;
  for (std::uint32_t i = 0; i < 100; ++i) {
    calendar.push(static_cast<std::int64_t>(i * 37 % 100) / 10, EntryClass::kFault,
                  static_cast<std::uint16_t>(i % 3), i);
  }
  Order wanted;
  for (Calendar copy = calendar; !copy.empty();) {
    const Entry entry = copy.pop();
    if (entry.kind != 1) {
      wanted.push_back(entry.entity);
    }
  }
  calendar.drop(1);
  EXPECT_EQ(popped(calendar), wanted);
  EXPECT_EQ(wanted.size(), 67U);
}

}  // namespace
}  // namespace aftershock::sim
