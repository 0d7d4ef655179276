#include "gui/timeline/shown_kinds.h"

#include <vector>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

Cell cell_of(Kind dominant, KindMask others) {
  return {mask_of(dominant) | others, dominant, 200, 200, 0};
}

TEST(ShownKinds, PhasesOfARestartInOnePixelAreOneColour) {
  std::vector<Cell> cells{
      cell_of(Kind::kLaunching, 0),
      cell_of(Kind::kLaunching, mask_of(Kind::kRestoring)),
      cell_of(Kind::kWarmingUp, mask_of(Kind::kRendezvous)),
      cell_of(Kind::kProductive, mask_of(Kind::kLaunching) | mask_of(Kind::kRestoring)),
      {}};
  merge_restarts(cells);
  EXPECT_EQ(cells[0].dominant, Kind::kLaunching) << "by itself it keeps its own";
  EXPECT_EQ(cells[1].dominant, kRestarting);
  EXPECT_EQ(cells[2].dominant, kRestarting);
  EXPECT_EQ(cells[3].dominant, Kind::kProductive);
  EXPECT_EQ(cells[4], Cell{});
  EXPECT_EQ(run_text(kRestarting), "restarting");
  EXPECT_EQ(run_text(Kind::kProductive), "productive");
}

TEST(ShownKinds, WhatIsHiddenIsInNoPixel) {
  std::vector<Cell> cells{cell_of(Kind::kProductive, mask_of(Kind::kFault)),
                          cell_of(Kind::kProductive, 0)};
  hide_kinds(cells, mask_of(Kind::kProductive));
  EXPECT_EQ(cells[0].mask, mask_of(Kind::kFault));
  EXPECT_EQ(cells[0].dominant, Kind::kFault);
  EXPECT_EQ(cells[1], Cell{});
}

TEST(ShownKinds, OnlyWhatIsLitKeepsItsColour) {
  const std::vector<Cell> cells{cell_of(Kind::kProductive, 0),
                                cell_of(Kind::kProductive, mask_of(Kind::kFault))};
  std::vector<Rgb> row{0xffffffff, 0xffffffff};
  dim_others(cells, Kind::kCount, 0xff000000, row);
  EXPECT_EQ(row, (std::vector<Rgb>{0xffffffff, 0xffffffff}));
  dim_others(cells, Kind::kFault, 0xff000000, row);
  EXPECT_LT(row[0], 0xff808080U);
  EXPECT_EQ(row[1], 0xffffffffU);
}

}  // namespace
}  // namespace aftershock::gui
