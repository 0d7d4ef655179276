#include "policies/ray_train/elastic.h"

#include <gtest/gtest.h>

namespace aftershock::policies::ray_train {
namespace {

TEST(Considerations, AreAtPollsAnIntervalApart) {
  const Considerations minute{.base_us = 10, .anchor_us = 10, .period_us = 2, .interval_us = 60};
  EXPECT_EQ(last_consideration(minute, 69), std::nullopt);
  EXPECT_EQ(next_consideration(minute, 0), 70);
  EXPECT_EQ(next_consideration(minute, 70), 70);
  EXPECT_EQ(next_consideration(minute, 71), 130);
  EXPECT_EQ(last_consideration(minute, 129), 70);
  EXPECT_EQ(last_consideration(minute, 130), 130);
}

/// The poll-by-poll loop of the controller.
std::vector<TimeUs> walked(const Considerations& times, TimeUs until_us) {
  std::vector<TimeUs> found;
  TimeUs last_us = times.base_us;
  for (TimeUs poll = times.anchor_us + times.period_us; poll <= until_us; poll += times.period_us) {
    if (poll >= last_us + times.interval_us) {
      found.push_back(poll);
      last_us = poll;
    }
  }
  return found;
}

TEST(Considerations, AreThoseOfALoopThatPolls) {
  for (const DurationUs period : {1, 2, 3, 7}) {
    for (const DurationUs interval : {0, 1, 5, 6, 14, 15}) {
      for (const TimeUs base : {-20, -3, 0, 5, 9}) {  // of this group, or of one before
        const Considerations times{
            .base_us = base, .anchor_us = 5, .period_us = period, .interval_us = interval};
        std::vector<TimeUs> computed;
        for (TimeUs at = next_consideration(times, 0); at <= 100;
             at = next_consideration(times, at + 1)) {
          computed.push_back(at);
          EXPECT_EQ(last_consideration(times, at), at);
        }
        EXPECT_EQ(computed, walked(times, 100)) << period << ' ' << interval << ' ' << base;
      }
    }
  }
}

TEST(FirstPoll, IsAfterOneTimeAndNotBeforeAnother) {
  EXPECT_EQ(first_poll(10, 2, 10, 0), 12);
  EXPECT_EQ(first_poll(10, 2, 11, 0), 12);
  EXPECT_EQ(first_poll(10, 2, 12, 0), 14);
  EXPECT_EQ(first_poll(10, 2, 12, 99), 100);
  EXPECT_EQ(first_poll(10, 2, 12, 100), 100);
}

}  // namespace
}  // namespace aftershock::policies::ray_train
