#include "gui/replay/clock.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/times.h"

namespace aftershock::gui {
namespace {

const std::vector<std::int64_t> kEvents{0, 10, 10, 500, 2 * kDay, 2 * kDay + 1};
const std::vector<std::int64_t> kFaults{2 * kDay};
const ReplayRun kTenDays{0, 10 * kDay, kEvents, kFaults};
const ReplayRun kCalm{0, 10 * kDay, kEvents, {}};

ReplayClock playing(std::int64_t t_us, std::int64_t speed, bool backwards = false) {
  ReplayClock clock;
  clock.t_us = t_us;
  clock.speed = speed;
  clock.playing = true;
  clock.backwards = backwards;
  return clock;
}

TEST(ReplayClock, PlaysTime) {
  const struct {
    std::int64_t from_us;
    std::int64_t speed;
    bool backwards;
    std::int64_t host_us;
    std::int64_t to_us;
    bool still;
  } table[] = {
      {0, 1, false, 16'000, 16'000, true},
      {0, 1'000'000, false, 16'000, 16'000 * kSecond, true},
      {kDay, 60, true, kSecond, kDay - 60 * kSecond, true},
      {10 * kDay - 5, 1, false, 4, 10 * kDay - 1, true},
      {10 * kDay - 5, 1, false, 5, 10 * kDay, false},
      {10 * kDay - 5, 1'000'000, false, 16'000, 10 * kDay, false},
      {7, 1'000, true, 16'000, 0, false},
      {kDay, 60, false, 0, kDay, true},
      // Only a second of a long sleep.
      {0, 1, false, 3'600 * kSecond, kSecond, true},
  };
  for (const auto& row : table) {
    const ReplayClock clock =
        advance(playing(row.from_us, row.speed, row.backwards), kCalm, row.host_us);
    EXPECT_EQ(clock.t_us, row.to_us) << row.from_us;
    EXPECT_EQ(clock.playing, row.still) << row.from_us;
  }
  EXPECT_EQ(advance(paused(playing(5, 60)), kCalm, 16'000).t_us, 5);
}

// At 10,000x a fault at 2 d slows down for a quarter of a second of the host on both sides, 2,500 s
// of the run, to 2,500x.
TEST(ReplayClock, SlowsDownNearFaultsInProportion) {
  const std::int64_t fault = 2 * kDay;
  // 1 ms of the host takes it 10 s on, to the slow part, then 2 ms * 2,500 within it.
  ReplayClock clock = advance(playing(fault - 2'510 * kSecond, 10'000), kTenDays, 3'000);
  EXPECT_EQ(clock.t_us, fault - 2'500 * kSecond + 2'000 * 2'500);
  EXPECT_EQ(speed_now(clock, kTenDays), 2'500);
  for (int i = 0; i < 4; ++i) {
    clock = advance(clock, kTenDays, 500'000);
  }
  // 2'000 us of the host ahead: those are fast.
  EXPECT_EQ(clock.t_us, fault + 2'500 * kSecond + 2'000 * 10'000);
  EXPECT_EQ(speed_now(clock, kTenDays), 10'000);
  // And so on the way back: 2 ms, then 1 ms * 2,500.
  clock = advance(playing(fault + 2'520 * kSecond, 10'000, true), kTenDays, 3'000);
  EXPECT_EQ(clock.t_us, fault + 2'500 * kSecond - 1'000 * 2'500);
  const std::int64_t slowed_us = clock.t_us;
  clock.slow_at_faults = false;
  EXPECT_EQ(advance(clock, kTenDays, 1).t_us, slowed_us - 10'000);
  // Never slower than the run itself.
  EXPECT_EQ(advance(playing(fault - 5, 10), kTenDays, 1).t_us, fault - 3);
  EXPECT_EQ(advance(playing(fault - 5, 2), kTenDays, 1).t_us, fault - 4);
  EXPECT_EQ(advance(playing(fault - 5, 1), kTenDays, 1).t_us, fault - 4);
}

TEST(ReplayClock, HowItIsCutDoesNotMatter) {
  const ReplayClock from = playing(2 * kDay - 2'501 * kSecond, 10'000);
  ReplayClock whole = advance(from, kTenDays, 1'000);
  ReplayClock cut = from;
  for (int i = 0; i < 1'000; ++i) {
    cut = advance(cut, kTenDays, 1);
  }
  EXPECT_EQ(whole, cut);
}

TEST(ReplayClock, PlaysEvents) {
  ReplayClock clock = by_events(playing(0, 60), true);
  EXPECT_EQ(clock.events_per_s, 2);
  clock = advance(clock, kTenDays, 499'999);
  EXPECT_EQ(clock.t_us, 0);
  clock = advance(clock, kTenDays, 1);
  EXPECT_EQ(clock.t_us, 10);
  // The two at 10 are one.
  clock = advance(clock, kTenDays, 500'000);
  EXPECT_EQ(clock.t_us, 500);
  clock = advance(clock, kTenDays, kSecond);
  EXPECT_EQ(clock.t_us, 2 * kDay + 1);
  clock = advance(clock, kTenDays, kSecond);
  EXPECT_EQ(clock.t_us, 10 * kDay);
  EXPECT_FALSE(clock.playing);
  clock = advance(played_backwards(clock), kTenDays, kSecond);
  EXPECT_EQ(clock.t_us, 2 * kDay);
}

TEST(ReplayClock, Loops) {
  // 100 us long: at 1x 250 us from its begin are two rounds and a half.
  ReplayClock clock = looped(playing(7, 1), 1'000, 1'100);
  EXPECT_EQ(clock.t_us, 1'000);
  clock = advance(clock, kCalm, 250);
  EXPECT_EQ(clock.t_us, 1'050);
  clock = advance(played_backwards(clock), kCalm, 100);
  EXPECT_EQ(clock.t_us, 1'050);
  EXPECT_TRUE(clock.playing);
  clock = by_events(looped(playing(7, 1), 5, 600), true);
  const std::int64_t expected[] = {500, 5, 10, 500, 5};
  clock = advance(clock, kTenDays, 500'000);
  for (const std::int64_t t : expected) {
    clock = advance(clock, kTenDays, 500'000);
    EXPECT_EQ(clock.t_us, t);
  }
  clock = looped(clock, 9, 9);
  EXPECT_FALSE(clock.loop_begin_us);
}

TEST(ReplayClock, StepsFromEventToEvent) {
  const struct {
    std::int64_t from_us;
    bool backwards;
    std::int64_t to_us;
  } table[] = {
      {0, false, 10},  {10, false, 500}, {9, false, 10}, {2 * kDay + 1, false, 2 * kDay + 1},
      {500, true, 10}, {10, true, 0},    {0, true, 0},   {10 * kDay, true, 2 * kDay + 1}};
  for (const auto& row : table) {
    const ReplayClock clock = stepped(playing(row.from_us, 60), kTenDays, row.backwards);
    EXPECT_EQ(clock.t_us, row.to_us) << row.from_us;
    EXPECT_FALSE(clock.playing);
  }
}

TEST(ReplayClock, Speeds) {
  ReplayClock clock;
  clock.speed = 1;
  std::vector<std::int64_t> up;
  for (int i = 0; i < 20; ++i) {
    up.push_back(clock.speed);
    clock = faster(clock);
  }
  EXPECT_EQ(
      up, (std::vector<std::int64_t>{1,      2,       5,       10,      20,        50,       100,
                                     200,    500,     1'000,   2'000,   5'000,     10'000,   20'000,
                                     50'000, 100'000, 200'000, 500'000, 1'000'000, 1'000'000}));
  for (std::size_t i = 19; i-- > 0;) {
    EXPECT_EQ(clock.speed, up[i]);
    clock = slower(clock);
  }
  EXPECT_EQ(clock.speed, 1);
  clock.speed = 60;
  EXPECT_EQ(faster(clock).speed, 100);
  EXPECT_EQ(slower(clock).speed, 50);
}

TEST(ReplayClock, Keys) {
  ReplayClock clock;
  clock = played_forwards(clock);
  EXPECT_TRUE(clock.playing);
  EXPECT_EQ(clock.speed, 60);
  clock = played_forwards(clock);
  EXPECT_EQ(clock.speed, 100);
  clock = played_backwards(clock);
  EXPECT_TRUE(clock.backwards);
  EXPECT_EQ(clock.speed, 100);
  clock = played_backwards(clock);
  EXPECT_EQ(clock.speed, 200);
  clock = paused(clock);
  EXPECT_FALSE(clock.playing);
  // At an end, playing begins at the other.
  clock = toggled(moved(clock, kCalm, -5), kCalm);
  EXPECT_EQ(clock.t_us, 10 * kDay);
  EXPECT_TRUE(clock.playing);
  clock = toggled(clock, kCalm);
  EXPECT_EQ(clock.t_us, 10 * kDay);
  EXPECT_FALSE(clock.playing);
}

TEST(ReplayClock, OfAnEmptyRun) {
  const ReplayRun none{};
  for (const bool backwards : {false, true}) {
    ReplayClock clock = advance(playing(9, 60, backwards), none, 16'000);
    EXPECT_EQ(clock.t_us, 0);
    EXPECT_FALSE(clock.playing);
    clock = advance(by_events(playing(9, 60, backwards), true), none, kSecond);
    EXPECT_FALSE(clock.playing);
    EXPECT_EQ(stepped(clock, none, backwards).t_us, 0);
  }
}

}  // namespace
}  // namespace aftershock::gui
