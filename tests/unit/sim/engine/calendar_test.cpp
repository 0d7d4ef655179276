#include "sim/engine/calendar.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::sim::engine {
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

// The pattern of a loop: it takes the next entry and puts some in, of which one often comes next;
// few times and classes, so that many are alike. The reference finds the least of an unsorted list.
class AgainstALinearSearch : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 33U) % bound;
  }

  void push() {
    const auto t_us = static_cast<std::int64_t>(now_us_ + below(4));
    const auto entry_class = static_cast<std::uint32_t>(below(kClasses.size()));
    const auto kind = static_cast<std::uint16_t>(below(5));
    calendar_.push(t_us, kClasses[entry_class], kind, pushed_);
    wanted_.push_back({t_us, entry_class, pushed_++, kind});
  }

  void pop() {
    const auto least = std::ranges::min_element(wanted_);
    ASSERT_EQ(calendar_.top().entity, std::get<2>(*least));
    const Entry entry = calendar_.pop();
    ASSERT_EQ(entry.entity, std::get<2>(*least));
    now_us_ = static_cast<std::uint64_t>(entry.t_us);
    wanted_.erase(least);
  }

  void expect_the_same_entries() const {
    std::vector<std::uint32_t> left;
    for (const Entry& entry : calendar_.entries()) {
      left.push_back(entry.entity);
    }
    std::vector<std::uint32_t> wanted;
    for (const auto& each : wanted_) {
      wanted.push_back(std::get<2>(each));
    }
    std::ranges::sort(left);
    ASSERT_EQ(left, wanted);
    ASSERT_EQ(calendar_.size(), wanted.size());
    ASSERT_EQ(calendar_.empty(), wanted.empty());
  }

  Calendar calendar_;
  /// (time, class, sequence, kind), as pushed.
  std::vector<std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint16_t>> wanted_;
  std::uint64_t now_us_ = 0;
  std::uint32_t pushed_ = 0;
  std::uint64_t state_ = GetParam();
};

TEST_P(AgainstALinearSearch, EveryEntryComesInItsPlace) {
  for (int round = 0; round < 2000; ++round) {
    for (std::uint64_t count = below(wanted_.size() > 40 ? 2 : 4); count > 0; --count) {
      push();
    }
    for (std::uint64_t count = below(4); count > 0 && !wanted_.empty(); --count) {
      ASSERT_NO_FATAL_FAILURE(pop());
    }
    if (below(50) == 0) {
      const auto kind = static_cast<std::uint16_t>(below(5));
      calendar_.drop(kind);
      std::erase_if(wanted_, [kind](const auto& each) { return std::get<3>(each) == kind; });
    }
    ASSERT_NO_FATAL_FAILURE(expect_the_same_entries());
  }
  while (!wanted_.empty()) {
    ASSERT_NO_FATAL_FAILURE(pop());
  }
  EXPECT_TRUE(calendar_.empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, AgainstALinearSearch, ::testing::Range<std::uint64_t>(1, 21));

}  // namespace
}  // namespace aftershock::sim::engine
