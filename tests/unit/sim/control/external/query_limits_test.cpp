#include "sim/control/external/query_limits.h"

#include <gtest/gtest.h>

namespace aftershock::sim::control {
namespace {

using policies::Batch;

TEST(QueryLimits, ABatchOfWhichItSaysNothingIsNotForIt) {
  Identity identity;
  QueryLimits attention;
  const Batch submitted{1, 10, {policies::JobSubmitted{}}};
  EXPECT_TRUE(QueryLimits::is_for(identity, submitted));  // it answers all
  identity.answers.assign(std::variant_size_v<policies::AnyEvent>, false);
  attention.watches({.wake_us = 20}, identity);
  EXPECT_FALSE(QueryLimits::is_for(identity, submitted));
  EXPECT_EQ(attention.without_asking(submitted).watch.wake_us, 20);
  EXPECT_TRUE(QueryLimits::is_for(identity, {2, 10, {}}));
  EXPECT_FALSE(attention.without_asking({3, 20, {policies::JobSubmitted{}}}).watch.wake_us);
  identity.answers[submitted.events[0].index()] = true;
  EXPECT_TRUE(QueryLimits::is_for(identity, submitted));
}

TEST(QueryLimits, OwnAlarmsAreCountedUntilSomethingHappens) {
  QueryLimits attention;
  std::uint64_t seq = 0;
  const auto alarms = [&](int count) {
    for (int i = 0; i < count; ++i) {
      ++seq;
      attention.count({seq, static_cast<std::int64_t>(seq), {policies::Timer{}}});
    }
  };
  alarms(10'000);
  EXPECT_FALSE(attention.loops());
  ++seq;
  attention.count({seq, static_cast<std::int64_t>(seq), {policies::JobSubmitted{}}});
  alarms(10'000);
  EXPECT_FALSE(attention.loops());
  alarms(1);
  ASSERT_TRUE(attention.loops());
  EXPECT_NE(attention.loops()->find("had itself woken 10000 times"), std::string::npos);
}

}  // namespace
}  // namespace aftershock::sim::control
