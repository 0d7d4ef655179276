#include "gui/trace/lost_work.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "gui/trace/trace.h"

namespace aftershock::gui {
namespace {

TEST(LostWork, MergesStretchesAndAnswersForSpans) {
  LostWork lost;
  EXPECT_TRUE(lost.of(7).empty());
  EXPECT_EQ(lost.lost_us(7, 0, 100), 0);
  for (const Stretch& each : {Stretch{10, 20}, {30, 40}, {40, 45}, {15, 18}, {50, 50}, {60, 55}}) {
    lost.add(2, each);
  }
  const auto all = lost.of(2);
  EXPECT_EQ(std::vector<Stretch>(all.begin(), all.end()),
            (std::vector<Stretch>{{10, 20}, {30, 45}}));
  EXPECT_EQ(lost.lost_us(2, 0, 100), 25);
  EXPECT_EQ(lost.lost_us(2, 15, 35), 10);
  EXPECT_EQ(lost.lost_us(2, 20, 30), 0);
  EXPECT_EQ(lost.between(2, 20, 30).size(), 0U);
  EXPECT_EQ(lost.between(2, 19, 31).size(), 2U);
  EXPECT_TRUE(lost.of(0).empty());
  lost.add(2, {0, 100});
  EXPECT_EQ(lost.of(2).size(), 1U);
}

TEST(LostWork, IsWhatABitOfEachMicrosecondSays) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    LostWork lost;
    std::vector<bool> naive(64);
    for (int i = 0; i < 12; ++i) {
      const auto begin = static_cast<std::int64_t>(random() % 60);
      const auto end = begin + static_cast<std::int64_t>(random() % 8);
      lost.add(0, {begin, std::min<std::int64_t>(end, 64)});
      for (std::int64_t t = begin; t < std::min<std::int64_t>(end, 64); ++t) {
        naive[static_cast<std::size_t>(t)] = true;
      }
    }
    for (std::int64_t from = 0; from < 64; from += 5) {
      const std::int64_t to = std::min<std::int64_t>(64, from + 17);
      EXPECT_EQ(lost.lost_us(0, from, to),
                std::count(naive.begin() + from, naive.begin() + to, true));
    }
  }
}

TEST(LostWork, OnlyWorkIsLost) {
  Trace trace;
  const std::uint32_t job = trace.entities.add("job:llm");
  trace.lanes.push_back({job, SubLane::kPhases, LaneColumns(false)});
  LaneColumns& phases = trace.lanes[0].columns;
  phases.add({0, 100, Kind::kProductive, 0, 0});
  phases.add({100, 150, Kind::kUndetected, 0, 0});
  phases.add({150, 200, Kind::kProductive, 0, 0});
  phases.add({200, kOpen, Kind::kProductive, 0, 0});
  phases.seal();
  trace.last_us = 240;
  trace.lost.add(job, {60, 240});
  const std::array<std::int64_t, 4> want{40, 0, 50, 40};
  const std::array whole{false, false, true, true};
  for (std::uint32_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(lost_of_span(trace, 0, i), want.at(i)) << i;
    EXPECT_EQ(is_lost(trace, 0, i), whole.at(i)) << i;
  }
}

}  // namespace
}  // namespace aftershock::gui
