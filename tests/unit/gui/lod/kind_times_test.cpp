#include "gui/lod/kind_times.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "gui/lod/rasterise.h"
#include "tests/unit/gui/lod/sample_lanes.h"

namespace aftershock::gui::testing {
namespace {

using Parts = std::vector<KindTimes::Part>;

Parts productive_of(const std::vector<SampleLane>& lanes) {
  std::vector<LaneSpans> spans;
  for (const SampleLane& lane : lanes) {
    spans.push_back(lane.spans());
  }
  return make_kind_times(spans).of[static_cast<std::size_t>(Kind::kProductive)];
}

SampleLane lane_of(const Parts& spans) {
  SampleLane lane;
  for (const KindTimes::Part& span : spans) {
    lane.add(span.begin_us, span.end_us, Kind::kProductive);
  }
  return lane;
}

TEST(KindTimes, JoinWhatMeets) {
  struct Case {
    const char* name;
    std::vector<Parts> lanes;
    Parts expected;
  };
  const std::vector<Case> cases{
      {"none", {{}, {}}, {}},
      {"apart", {{{0, 5}}, {{6, 9}}}, {{0, 5}, {6, 9}}},
      {"touching", {{{0, 5}}, {{5, 9}}}, {{0, 9}}},
      {"one within the other", {{{0, 50}}, {{10, 20}}}, {{0, 50}}},
      {"in another order", {{{90, 95}}, {{0, 50}}, {{40, 60}}}, {{0, 60}, {90, 95}}},
      {"an instant lasts a microsecond", {{{3, 3}}, {{7, 7}}, {{8, 8}}}, {{3, 4}, {7, 9}}},
      {"one that ends before it begins", {{{8, 2}}}, {{8, 9}}},
      {"open", {{{5, kOpen}}, {{7, 9}}}, {{5, kOpen}}},
      {"before the start", {{{-9, -2}}, {{-3, 1}}}, {{-9, 1}}},
  };
  for (const Case& each : cases) {
    std::vector<SampleLane> lanes;
    for (const Parts& lane : each.lanes) {
      lanes.push_back(lane_of(lane));
    }
    EXPECT_EQ(productive_of(lanes), each.expected) << each.name;
  }
}

// More than is kept unsorted, on two threads: [20 i, 20 i + 10), dealt out to the lanes.
TEST(KindTimes, OfManySpansThatStandApart) {
  constexpr std::int64_t kSpans = 600'000;
  constexpr std::int64_t kLanes = 300;
  std::vector<SampleLane> lanes(kLanes);
  for (std::int64_t i = 0; i < kSpans; ++i) {
    lanes[static_cast<std::size_t>(i * 7919 % kLanes)].add(20 * i, 20 * i + 10, Kind::kProductive);
  }
  const Parts parts = productive_of(lanes);
  ASSERT_EQ(parts.size(), static_cast<std::size_t>(kSpans));
  for (std::int64_t i = 0; i < kSpans; ++i) {
    ASSERT_EQ(parts[static_cast<std::size_t>(i)], (KindTimes::Part{20 * i, 20 * i + 10}));
  }
}

// The same with each lasting until the third behind it has begun: one part, but for one pause.
TEST(KindTimes, OfManySpansThatMeetAreFew) {
  constexpr std::int64_t kSpans = 600'000;
  constexpr std::int64_t kLanes = 300;
  std::vector<SampleLane> lanes(kLanes);
  for (std::int64_t i = 0; i < kSpans; ++i) {
    const std::int64_t t = 20 * i + (i < kSpans / 2 ? 0 : 1'000'000);
    lanes[static_cast<std::size_t>(i * 7919 % kLanes)].add(t, t + 61, Kind::kProductive);
  }
  const std::int64_t pause = 20 * (kSpans / 2 - 1) + 61;
  EXPECT_EQ(productive_of(lanes),
            (Parts{{0, pause}, {20 * (kSpans / 2) + 1'000'000, 20 * (kSpans - 1) + 1'000'061}}));
}

// However fine its pixels are, a picture of a group that is complete costs no look at a lane.
TEST(KindTimes, SpareALookAtTheLanes) {
  constexpr std::int64_t kLanes = 2000;
  Dice dice(3);
  std::vector<SampleLane> lanes(kLanes);
  for (SampleLane& lane : lanes) {
    std::int64_t t = dice.below(1'000'000);
    for (int i = 0; i < 20; ++i) {
      const std::int64_t length = dice.below(2'000'000);
      lane.add(t, t + length, static_cast<Kind>(dice.below(6)));
      t += length + dice.below(2'000'000);
    }
  }
  std::vector<LaneLod> lods;
  for (const SampleLane& lane : lanes) {
    lods.push_back(make_lane_lod(lane.spans()));
  }
  std::vector<LaneView> views;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    views.push_back({lanes[i].spans(), &lods[i]});
  }
  const auto looked_up = [&](const GroupLod& group) {
    RasterScratch scratch;
    std::vector<Cell> cells(1000);
    for (std::int64_t length = 40'000'000; length > 1000; length = length * 10 / 11) {
      const TimeAxis axis{20'000'000 - length / 2, 20'000'000 + length / 2, 1000};
      rasterise(group, views, Columns(axis), scratch, cells);
    }
    return scratch.looked_up;
  };
  EXPECT_EQ(looked_up(make_group_lod(views)), 0U);
  EXPECT_GE(looked_up(make_group_lod(views, true)), static_cast<std::size_t>(kLanes));
}

}  // namespace
}  // namespace aftershock::gui::testing
