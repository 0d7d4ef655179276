#include "sim/detection/poll_clock.h"

#include <optional>

#include <gtest/gtest.h>

namespace aftershock::sim::detection {
namespace {

// Ray's: 2 s after the last poll ended the next begins, and waits at most 2 s for answers
// (ray.md 1.5). Times in microseconds.
constexpr std::int64_t s(double seconds) {
  return (static_cast<std::int64_t>(seconds * 2e6) + 1) / 2;
}

PollClock ray(std::int64_t anchor_us = 0) { return {anchor_us, s(2), s(2)}; }

struct PollRow {
  std::int64_t at_us;
  std::int64_t wanted_us;
};

TEST(PollClock, WhileAllAnswerTheNextTickSees) {
  const PollRow rows[] = {
      {0, 0},           {1, s(2)},          {s(1.5), s(2)},          {s(2), s(2)},
      {s(2) + 1, s(4)}, {s(1001), s(1002)}, {s(4665601), s(4665602)}};
  for (const PollRow& row : rows) {
    EXPECT_EQ(ray().observes(row.at_us), row.wanted_us) << row.at_us;
  }
  const PollClock odd = ray(s(1) + 7);
  EXPECT_EQ(odd.observes(0), s(1) + 7);
  EXPECT_EQ(odd.observes(s(1) + 8), s(3) + 7);
  EXPECT_EQ(odd.observes(s(3) + 7), s(3) + 7);
  EXPECT_EQ(odd.observes(s(3) + 8), s(5) + 7);
}

// Silent from 5 s on: the poll at 6 is the first to notice. Rounds 6..8, 10..12, 14..16.
TEST(PollClock, InSilenceTheEndOfARoundSees) {
  PollClock clock = ray();
  clock.fall_silent(s(5));
  EXPECT_TRUE(clock.silent());
  EXPECT_EQ(clock.first_unanswered(), s(6));
  const PollRow rows[] = {
      {s(3.5), s(4)},                     // a poll before the silence
      {s(4), s(4)},   {s(4.5), s(8)},     // asked at 6
      {s(6), s(8)},   {s(6) + 1, s(12)},  // the answer of 6 was given before
      {s(8), s(12)},  {s(10), s(12)},    {s(10) + 1, s(16)}, {s(4006), s(4008)},
  };
  for (const PollRow& row : rows) {
    EXPECT_EQ(clock.observes(row.at_us), row.wanted_us) << row.at_us;
  }
}

TEST(PollClock, SilenceThatBeginsAtAPollIsNoticedByIt) {
  PollClock clock = ray();
  clock.fall_silent(s(6));
  EXPECT_EQ(clock.first_unanswered(), s(6));
  clock.fall_silent(s(20));  // another one: the first counts
  EXPECT_EQ(clock.first_unanswered(), s(6));
}

struct EndRow {
  std::int64_t end_us;
  std::int64_t acted_us;
  std::int64_t next_us;  ///< poll after that
};

TEST(PollClock, EndOfSilence) {
  const EndRow rows[] = {
      {s(5.5), s(6), s(8)},      // no poll noticed: as if nothing had been
      {s(6), s(6), s(8)},        // answered at once
      {s(6.5), s(6.5), s(8.5)},  // in the round: it ends now
      {s(8), s(8), s(10)},       // with the last of the wait
      {s(8) + 1, s(10), s(12)},  // between rounds: the next poll is answered
      {s(9.9), s(10), s(12)},
      {s(10), s(10), s(12)},
      {s(11), s(11), s(13)},
      {s(13), s(14), s(16)},
      {s(607.25), s(607.25), s(609.25)},
  };
  for (const EndRow& row : rows) {
    PollClock clock = ray();
    clock.fall_silent(s(5));
    EXPECT_EQ(clock.end_silence(row.end_us), row.acted_us) << row.end_us;
    EXPECT_FALSE(clock.silent());
    EXPECT_EQ(clock.observes(row.acted_us), row.acted_us) << row.end_us;
    EXPECT_EQ(clock.observes(row.acted_us + 1), row.next_us) << row.end_us;
  }
}

// Silent from 5 s on, two of them; the end of one is acted upon when its round ends.
TEST(PollClock, EndOfOneSilenceAmongSeveral) {
  PollClock clock = ray();
  clock.fall_silent(s(5));
  const PollRow rows[] = {
      {s(5.5), s(8)}, {s(6), s(8)},   {s(7), s(8)},   {s(8), s(8)},
      {s(9), s(12)},  {s(10), s(12)}, {s(12), s(12)}, {s(12) + 1, s(16)},
  };
  for (const PollRow& row : rows) {
    EXPECT_EQ(clock.observes_while_others_silent(row.at_us), row.wanted_us) << row.at_us;
  }
}

// Rounds from 6 s on end 2, 6, 10, ... s after the first question; strictly more than the limit.
TEST(PollClock, TheLimitIsExceededAtTheEndOfARound) {
  const PollRow rows[] = {
      {s(600), s(6) + s(602)},  // Ray's default
      {s(601), s(6) + s(602)},     {s(602) - 1, s(6) + s(602)},
      {s(602), s(6) + s(606)},  // 602 is not more than 602
      {s(598), s(6) + s(602)},  // 598 is not more than 598
      {s(598) - 1, s(6) + s(598)}, {0, s(6) + s(2)},
      {s(2) - 1, s(6) + s(2)},     {s(2), s(6) + s(6)},
  };
  for (const PollRow& row : rows) {
    PollClock clock = ray();
    clock.fall_silent(s(5));
    EXPECT_EQ(clock.limit_exceeded(row.at_us), row.wanted_us) << row.at_us;
  }
}

TEST(PollClock, OtherPeriodsAndWaits) {
  PollClock clock(s(1), s(10), s(3));
  clock.fall_silent(s(12));
  EXPECT_EQ(clock.first_unanswered(), s(21));
  EXPECT_EQ(clock.observes(s(20)), s(24));
  EXPECT_EQ(clock.observes(s(22)), s(37));  // next round at 34
  EXPECT_EQ(clock.limit_exceeded(s(15)), s(37));
  EXPECT_EQ(clock.end_silence(s(30)), s(34));
}

TEST(PollClockDeathTest, ASilenceEndsThatHasBegun) {
  PollClock clock = ray();
  EXPECT_DEATH(clock.end_silence(s(1)), "assertion failed");
  clock.fall_silent(s(3));
  EXPECT_DEATH(clock.end_silence(s(2)), "assertion failed");
}

}  // namespace
}  // namespace aftershock::sim::detection
