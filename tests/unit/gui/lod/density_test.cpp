#include "gui/lod/density.h"

#include <array>

#include <gtest/gtest.h>

namespace aftershock::gui {
namespace {

TEST(Density, TheHeightOfABarTellsHowMany) {
  const std::array<std::size_t, 6> counts{0, 1, 50, 100, 400, 800};
  EXPECT_EQ(bar_levels(counts, 800), (std::vector<std::uint8_t>{0, 1, 1, 2, 6, 12}));
  EXPECT_EQ(bar_levels(counts, 0), std::vector<std::uint8_t>(6));
  const std::array<std::size_t, 3> two{2, 1, 0};
  EXPECT_EQ(bar_levels(two, 2), (std::vector<std::uint8_t>{12, 6, 0}));
}

TEST(Density, ABandHasTheBarsThatReachIt) {
  const std::array<std::uint8_t, 3> levels{0, 1, kBarLevels};
  const std::array<Rgb, 3> bar{1, 2, 3};
  const std::array<Rgb, 3> ground{10, 20, 30};
  std::array<Rgb, 3> row{};
  paint_band(levels, 0, bar, ground, row);
  EXPECT_EQ(row, (std::array<Rgb, 3>{10, 2, 3}));
  paint_band(levels, kBarLevels - 1, bar, ground, row);
  EXPECT_EQ(row, (std::array<Rgb, 3>{10, 20, 3}));
}

}  // namespace
}  // namespace aftershock::gui
