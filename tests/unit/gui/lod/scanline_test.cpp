#include "gui/lod/scanline.h"

#include <gtest/gtest.h>

#include "tests/unit/gui/lod/sample_lanes.h"

namespace aftershock::gui {
namespace {

using testing::kDead;
using testing::kStruck;
using testing::kWork;

std::array<Rgb, kKinds> sample_colours() {
  std::array<Rgb, kKinds> colours{};
  colours.fill(0xff0000ff);
  colours[static_cast<std::size_t>(Kind::kProductive)] = 0xff00ff00;
  colours[static_cast<std::size_t>(Kind::kFault)] = 0xffff0000;
  return colours;
}

const std::vector<Cell> kCells{
    {},
    {kWork, Kind::kProductive, 255, 255},
    {kWork | kStruck, Kind::kProductive, 254, 254},
    {kWork | kStruck, Kind::kProductive, 254, 254},
    {kStruck, Kind::kFault, 0, 0},
    {kWork | kDead, Kind::kProductive, 200, 255},
    {kDead | kStruck, Kind::kDown, 255, 255},
    {kWork, Kind::kProductive, 1, 1},
};

TEST(Scanline, Colours) {
  const Shades shades = make_shades(sample_colours(), 0xff000000);
  std::vector<Rgb> row(kCells.size());
  paint_scanline(kCells, shades, row.data());
  // The least has a third of its colour: 85 of 255.
  const std::vector<Rgb> expected{0xff000000, 0xff00ff00, 0xff00ff00, 0xff00ff00,
                                  0xff550000, 0xff00ff00, 0xff0000ff, 0xff005500};
  EXPECT_EQ(row, expected);
}

TEST(Scanline, SevereKindsAreDrawnOverWhatDominates) {
  std::vector<Rgb> row(kCells.size(), 7);
  EXPECT_TRUE(paint_severe(kCells, sample_colours(), row.data()));
  const std::vector<Rgb> expected{7, 7, 0xffff0000, 0xffff0000, 7, 0xff0000ff, 0xffff0000, 7};
  EXPECT_EQ(row, expected);
  EXPECT_FALSE(paint_severe(std::span(kCells).first(2), sample_colours(), row.data()));
}

TEST(Scanline, Runs) {
  const std::vector<PixelRun> dominant{{1, 4, Kind::kProductive},
                                       {4, 5, Kind::kFault},
                                       {5, 6, Kind::kProductive},
                                       {6, 7, Kind::kDown},
                                       {7, 8, Kind::kProductive}};
  EXPECT_EQ(dominant_runs(kCells), dominant);
  const std::vector<PixelRun> severe{
      {2, 4, Kind::kFault}, {5, 6, Kind::kDown}, {6, 7, Kind::kFault}};
  EXPECT_EQ(severe_runs(kCells), severe);
}

}  // namespace
}  // namespace aftershock::gui
