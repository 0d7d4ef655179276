#include "policies/ray_tune/snapshots.h"

#include <map>

#include <gtest/gtest.h>

namespace aftershock::policies::ray_tune {
namespace {

TEST(SnapshotTiming, AutoSpendsOneTwentiethOfTheTime) {
  EXPECT_EQ((SnapshotTiming{}.wait_us()), 10 * kSecondUs);
  EXPECT_EQ((SnapshotTiming{.save_us = 500 * kMillisecondUs}.wait_us()), 10 * kSecondUs);
  EXPECT_EQ((SnapshotTiming{.save_us = kSecondUs}.wait_us()), 19 * kSecondUs);
  EXPECT_EQ((SnapshotTiming{.period_us = kSecondUs, .save_us = kSecondUs}.wait_us()), kSecondUs);
}

/// Plays every second and every snapshot of one trial that reports every `every` seconds; gives the
/// iteration that storage has at the end of each second.
std::map<TimeUs, std::uint32_t> played(SnapshotTiming timing, TimeUs until_s, TimeUs every) {
  std::map<TimeUs, std::uint32_t> stored;
  std::uint32_t iteration = 0;
  std::uint32_t taken = 0;
  std::uint32_t done = 0;
  TimeUs begins = 0;
  TimeUs ends = -1;
  for (TimeUs now = 0; now <= until_s * kSecondUs; now += kSecondUs) {
    iteration += now % (every * kSecondUs) == 0 ? 1U : 0U;
    if (ends == now) {
      done = taken;
      ends = -1;
      begins = now + timing.wait_us();
    }
    if (ends < 0 && begins == now) {
      taken = iteration;
      ends = now + timing.save_us;
    }
    stored[now] = done;
  }
  return stored;
}

TEST(SnapshotClock, EverySnapshotWritesItsFileAnew) {
  struct Case {
    SnapshotTiming timing;
    TimeUs at_s;
    std::optional<TimeUs> last_s;
  };
  // Without a length: at 0, 10, 20, ... Of 1 s: from 0 to 1, from 20 to 21, from 40 to 41, ...
  constexpr SnapshotTiming kSecond{.save_us = kSecondUs};
  const Case cases[] = {{{}, 0, 0},
                        {{}, 9, 0},
                        {{}, 10, 10},
                        {{}, 1'234, 1'230},
                        {kSecond, 0, {}},
                        {kSecond, 1, 1},
                        {kSecond, 20, 1},
                        {kSecond, 21, 21},
                        {kSecond, 40, 21},
                        {kSecond, 1'000, 981},
                        {kSecond, 1'001, 1'001}};
  for (const Case& one : cases) {
    SnapshotClock clock(one.timing);
    clock.start(0);
    const auto last_us = clock.last_end_us(one.at_s * kSecondUs);
    EXPECT_EQ(last_us.has_value(), one.last_s.has_value()) << one.at_s;
    EXPECT_EQ(last_us.value_or(0), one.last_s.value_or(0) * kSecondUs) << one.at_s;
  }
  SnapshotClock stopped({});
  stopped.start(0);
  EXPECT_EQ(stopped.next(5 * kSecondUs, true), SnapshotClock::Turn::kBegin);
  EXPECT_EQ(stopped.next(5 * kSecondUs, true), SnapshotClock::Turn::kEnd);
  stopped.stop();
  EXPECT_EQ(stopped.last_end_us(100 * kSecondUs), 0);
}

TEST(Snapshots, AreWhatPlayingThemWouldGive) {
  for (const TimeUs save_s : {1, 2, 7}) {
    for (const TimeUs every : {1, 3, 50}) {
      const SnapshotTiming timing{.save_us = save_s * kSecondUs};
      constexpr TimeUs kUntilS = 500;
      const auto expected = played(timing, kUntilS, every);
      Snapshots snapshots(timing, std::nullopt);
      std::vector<Trial> trials(1);
      for (TimeUs now_s = 0; now_s <= kUntilS; ++now_s) {
        const TimeUs now = now_s * kSecondUs;
        if (now_s % every == 0) {
          snapshots.advance(now, trials);
          if (now == 0) {
            snapshots.start(now);
          }
          ++trials[0].iteration;
          snapshots.changed(0);
        }
        const auto stored = snapshots.stored(now, trials);
        ASSERT_EQ(stored ? stored->front().iteration : 0, expected.at(now))
            << "saves of " << save_s << " s, results every " << every << " s, at " << now_s;
      }
    }
  }
}

TEST(Snapshots, AForcedOneWaitsForTheOneThatIsBeingStored) {
  std::vector<Trial> trials(1);
  Snapshots snapshots({.save_us = 4 * kSecondUs}, 1);
  snapshots.start(0);
  snapshots.changed(0);
  snapshots.advance(2 * kSecondUs, trials);
  trials[0].iteration = 5;
  snapshots.checkpointed(0, 2 * kSecondUs);
  EXPECT_FALSE(snapshots.stored(4 * kSecondUs - 1, trials).has_value());
  EXPECT_EQ(snapshots.stored(8 * kSecondUs - 1, trials)->front().iteration, 0U);
  EXPECT_EQ(snapshots.stored(8 * kSecondUs, trials)->front().iteration, 5U);
}

TEST(Snapshots, NoneBeginsOnceStopped) {
  std::vector<Trial> trials(1);
  Snapshots snapshots({.save_us = kSecondUs}, std::nullopt);
  snapshots.start(0);
  snapshots.changed(0);
  snapshots.advance(kSecondUs / 2, trials);
  trials[0].iteration = 1;
  snapshots.changed(0);
  snapshots.stop();
  EXPECT_EQ(snapshots.stored(1000 * kSecondUs, trials)->front().iteration, 0U);
}

}  // namespace
}  // namespace aftershock::policies::ray_tune
