#include "gui/trace/lane.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(LaneColumns, GiveBackWhatWasAdded) {
  for (const bool numbered : {false, true}) {
    LaneColumns lane(numbered);
    EXPECT_TRUE(lane.spans().empty());
    EXPECT_TRUE(lane.lines().empty());
    constexpr std::uint32_t kSpans = 1000;
    for (std::uint32_t i = 0; i < kSpans; ++i) {
      EXPECT_EQ(lane.add({i, kOpen, static_cast<Kind>(i % kKinds), i + 7, i * 3}), i);
      if (i >= 10) {
        lane.end(i - 10, 2 * i);
      }
    }
    const LaneSpans spans = lane.spans();
    ASSERT_EQ(spans.size(), kSpans);
    ASSERT_EQ(lane.numbers().size(), numbered ? kSpans : 0);
    for (std::uint32_t i = 0; i < kSpans; ++i) {
      EXPECT_EQ(spans.begin_us[i], i);
      EXPECT_EQ(spans.end_us[i], i + 10 < kSpans ? 2 * (i + 10) : kOpen);
      EXPECT_EQ(spans.kind[i], static_cast<Kind>(i % kKinds));
      EXPECT_EQ(lane.lines()[i], i + 7);
      if (numbered) {
        EXPECT_EQ(lane.numbers()[i], i * 3);
      }
    }
  }
}

TEST(LaneColumns, EveryKindHasALaneOfItsSort) {
  EXPECT_EQ(sub_lane_of(Kind::kProductive), SubLane::kPhases);
  EXPECT_EQ(sub_lane_of(Kind::kPaused), SubLane::kPhases);
  EXPECT_EQ(sub_lane_of(Kind::kAttempt), SubLane::kAttempts);
  EXPECT_EQ(sub_lane_of(Kind::kCommitting), SubLane::kCheckpoints);
  EXPECT_EQ(sub_lane_of(Kind::kSlow), SubLane::kStates);
  EXPECT_EQ(sub_lane_of(Kind::kFault), SubLane::kFaults);
  EXPECT_EQ(sub_lane_of(Kind::kOther), SubLane::kOthers);
}

/// The overlaps, by looking at every span.
std::vector<std::size_t> brute(const LaneSpans& spans, std::int64_t from, std::int64_t to) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.begin_us[i] < to && (spans.end_us[i] > from || spans.begin_us[i] >= from)) {
      found.push_back(i);
    }
  }
  return found;
}

TEST(LaneColumns, FindWhatOverlaps) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 2000; ++round) {
    LaneColumns lane(false);
    std::int64_t t = 0;
    const bool nested = round % 2 == 0;
    for (auto n = random() % 20; n > 0; --n) {
      t += static_cast<std::int64_t>(random() % 4);
      const auto length = static_cast<std::int64_t>(random() % (nested ? 30 : 4));
      lane.add({t, random() % 20 == 0 ? kOpen : t + length, Kind::kProductive, 0, 0});
      t += nested ? 0 : length;
    }
    for (const bool sealed : {false, true}) {
      if (sealed) {
        lane.seal();
      }
      for (std::int64_t from = -1; from < t + 2; ++from) {
        const std::int64_t to = from + static_cast<std::int64_t>(random() % 6);
        const auto expected = brute(lane.spans(), from, to);
        const auto [first, last] = lane.overlapping(from, to);
        std::vector<std::size_t> found;
        for (std::size_t i = first; i < last; ++i) {
          if (lane.spans().end_us[i] > from || lane.spans().begin_us[i] >= from) {
            found.push_back(i);
          }
        }
        ASSERT_EQ(found, expected) << from << " to " << to;
        ASSERT_TRUE(first == last || found.front() == first);
      }
    }
  }
}

TEST(LaneColumnsDeathTest, SpansComeInTheOrderOfTheirBegins) {
  LaneColumns lane(false);
  lane.add({.begin_us = 5, .end_us = kOpen});
  EXPECT_DEATH(lane.add({.begin_us = 4, .end_us = kOpen}), "assertion failed");
  EXPECT_DEATH(lane.end(1, 9), "assertion failed");
}

}  // namespace
}  // namespace aftershock::gui
