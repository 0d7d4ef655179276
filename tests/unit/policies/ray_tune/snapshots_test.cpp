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
