#include "gui/cluster/holding.h"

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

struct HoldingRow {
  std::int64_t t_us;
  Holding expected;
};

TEST(Holding, IsWhatHoldsAndHowLong) {
  LaneColumns lane(false);
  lane.add({10, 40, Kind::kDown, 1, 0});
  lane.add({20, 30, Kind::kIsolated, 2, 0});
  lane.add({50, 50, Kind::kSlow, 3, 0});
  lane.add({60, kOpen, Kind::kCut, 4, 0});
  const KindMask down = mask_of(Kind::kDown);
  const KindMask both = down | mask_of(Kind::kIsolated);
  constexpr std::int64_t kBefore = std::numeric_limits<std::int64_t>::min();
  for (int sealed = 0; sealed < 2; ++sealed) {
    for (const HoldingRow& row :
         {HoldingRow{0, {0, kBefore, 10}}, HoldingRow{10, {down, 10, 20}},
          HoldingRow{19, {down, 10, 20}}, HoldingRow{20, {both, 20, 30}},
          HoldingRow{30, {down, 30, 40}}, HoldingRow{40, {0, 40, 50}}, HoldingRow{55, {0, 50, 60}},
          HoldingRow{60, {mask_of(Kind::kCut), 60, kOpen}}}) {
      EXPECT_EQ(holding_at(lane, row.t_us), row.expected) << row.t_us << ", " << sealed;
    }
    lane.seal();
  }
  EXPECT_EQ(holding_at(LaneColumns(false), 5), Holding{});
}

}  // namespace
}  // namespace aftershock::gui
