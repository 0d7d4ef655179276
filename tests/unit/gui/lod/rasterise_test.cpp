#include "gui/lod/rasterise.h"

#include <gtest/gtest.h>

#include "gui/lod/scanline.h"
#include "tests/unit/gui/lod/sample_lanes.h"

namespace aftershock::gui::testing {
namespace {

using testing::kDead;
using testing::kStruck;
using testing::kWork;

std::vector<Cell> drawn(const std::vector<SampleLane>& samples, const TimeAxis& axis) {
  std::vector<LaneLod> lods;
  std::vector<LaneView> lanes;
  for (const SampleLane& sample : samples) {
    lods.push_back(make_lane_lod(sample.spans()));
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    lanes.push_back({samples[i].spans(), &lods[i]});
  }
  RasterScratch scratch;
  std::vector<Cell> cells(static_cast<std::size_t>(axis.width_px));
  if (lanes.size() == 1) {
    rasterise(lanes[0], Columns(axis), scratch, cells);
  } else {
    rasterise(make_group_lod(lanes), lanes, Columns(axis), scratch, cells);
  }
  return cells;
}

SampleLane lane_of(std::initializer_list<std::tuple<std::int64_t, std::int64_t, Kind>> spans) {
  SampleLane lane;
  for (const auto& [begin, end, kind] : spans) {
    lane.add(begin, end, kind);
  }
  return lane;
}

// 10 us a pixel. A part p of a pixel is 1 + floor(p * 253): half of it 127.
TEST(Rasterise, WhatDominates) {
  const TimeAxis axis{0, 40, 4};
  const struct {
    SampleLane lane;
    std::vector<Cell> cells;
  } table[] = {
      {lane_of({}), {{}, {}, {}, {}}},
      {lane_of({{0, 20, Kind::kProductive}, {20, 25, Kind::kDown}}),
       {{kWork, Kind::kProductive, 255, 255},
        {kWork, Kind::kProductive, 255, 255},
        {kDead, Kind::kDown, 127, 127},
        {}}},
      // 8 of 10 against an instant, and an instant by itself.
      {lane_of({{1, 9, Kind::kProductive}, {9, 9, Kind::kFault}, {35, 35, Kind::kFault}}),
       {{kWork | kStruck, Kind::kProductive, 203, 203}, {}, {}, {kStruck, Kind::kFault, 0, 0}}},
      // Two of a kind, 6 together, outweigh 4 at once; 30 has ended there.
      {lane_of({{0, 3, Kind::kProductive}, {3, 7, Kind::kDown}, {7, 10, Kind::kProductive}}),
       {{kWork | kDead, Kind::kProductive, 152, 255}, {}, {}, {}}},
      // As long: the more severe.
      {lane_of({{20, 25, Kind::kDown}, {25, 30, Kind::kProductive}}),
       {{}, {}, {kWork | kDead, Kind::kDown, 127, 255}, {}}},
      // One over the other: what overlaps is not counted twice.
      {lane_of({{0, 30, Kind::kProductive}, {5, 15, Kind::kDown}, {10, 15, Kind::kDown}}),
       {{kWork | kDead, Kind::kProductive, 255, 255},
        {kWork | kDead, Kind::kProductive, 255, 255},
        {kWork, Kind::kProductive, 255, 255},
        {}}},
      {lane_of({{5, kOpen, Kind::kDown}}),
       {{kDead, Kind::kDown, 127, 127},
        {kDead, Kind::kDown, 255, 255},
        {kDead, Kind::kDown, 255, 255},
        {kDead, Kind::kDown, 255, 255}}},
  };
  for (const auto& row : table) {
    std::vector<Cell> cells = drawn({row.lane}, axis);
    for (std::size_t x = 0; x < cells.size(); ++x) {
      cells[x].throughout = 0;
      EXPECT_EQ(cells[x].mask, row.cells[x].mask) << x;
      EXPECT_EQ(cells[x].dominant, row.cells[x].dominant) << x;
      EXPECT_EQ(cells[x].part, row.cells[x].part) << x;
      EXPECT_EQ(cells[x].covered, row.cells[x].covered) << x;
    }
  }
}

// Three lanes of four work, one is down: the row works, and says that something is down.
TEST(Rasterise, AGroupShowsWhatMostOfItDoes) {
  const SampleLane works = lane_of({{0, 40, Kind::kProductive}});
  const SampleLane down = lane_of({{0, 20, Kind::kProductive}, {20, 40, Kind::kDown}});
  const std::vector<Cell> cells = drawn({works, down, works, works}, {0, 40, 4});
  EXPECT_EQ(cells[0].mask, kWork);
  EXPECT_EQ(cells[0].part, 255);
  EXPECT_EQ(cells[3].mask, kWork | kDead);
  EXPECT_EQ(cells[3].dominant, Kind::kProductive);
  EXPECT_NEAR(cells[3].part, 255 * 3 / 4, 2);
  EXPECT_EQ(cells[3].covered, 255);
}

TEST(Rasterise, AMicrosecondOfAYearIsSeen) {
  constexpr std::int64_t kYear = 31'557'600'000'000;
  std::vector<SampleLane> rack(512);
  for (std::size_t i = 0; i < rack.size(); ++i) {
    for (std::int64_t day = 0; day < 365; ++day) {
      rack[i].add(day * 86'400'000'000, (day + 1) * 86'400'000'000, Kind::kProductive);
    }
  }
  rack[17].kind[100] = Kind::kFault;
  rack[17].end_us[100] = rack[17].begin_us[100] + 1;
  const TimeAxis axis{0, kYear, 1000};
  const std::vector<Cell> cells = drawn(rack, axis);
  const int struck = pixel_of(axis, 100 * 86'400'000'000);
  for (int x = 0; x < 1000; ++x) {
    const Cell& cell = cells[static_cast<std::size_t>(x)];
    ASSERT_EQ(has(cell.mask, Kind::kFault), x == struck) << x;
    ASSERT_EQ(severe_of(cell), x == struck ? Kind::kFault : Kind::kCount) << x;
  }
}

TEST(Rasterise, CountsTimes) {
  const std::vector<std::int64_t> times{-1, 0, 0, 9, 10, 39, 40};
  EXPECT_EQ(count_times(times, Columns({0, 40, 4})), (std::vector<std::size_t>{3, 1, 0, 1}));
  EXPECT_EQ(count_times(times, Columns({9, 11, 4})), (std::vector<std::size_t>{1, 1, 1, 1}));
}

// A bucket for two spans, with upper levels 8 bytes a span; and what is beside it.
TEST(Rasterise, IsCompact) {
  SampleLane lane;
  for (std::int64_t i = 0; i < 100'000; ++i) {
    lane.add(i * 1000, i * 1000 + 1500, static_cast<Kind>(i % 12));
  }
  const LaneLod lod = make_lane_lod(lane.spans());
  std::size_t bytes = lod.pyramid.cells.size() * sizeof(Cell) + lod.reach_us.size() * 8;
  for (const std::vector<Block>& blocks : lod.blocks) {
    bytes += blocks.size() * sizeof(Block);
  }
  EXPECT_FALSE(lod.pyramid.empty());
  EXPECT_LE(bytes, 13U * lane.begin_us.size());
}

}  // namespace
}  // namespace aftershock::gui::testing
