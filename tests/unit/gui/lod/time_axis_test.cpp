#include "gui/lod/time_axis.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/gui/lod/sample_lanes.h"

namespace aftershock::gui {
namespace {

struct Mapped {
  TimeAxis axis;
  std::vector<std::int64_t> begins;  // of each pixel, and the end
};

TEST(TimeAxis, Pixels) {
  const Mapped table[] = {
      {{0, 4, 4}, {0, 1, 2, 3, 4}},
      // ceil(x * 10 / 4): 2.5 and 7.5 belong to the pixel they lie in, from 3 and 8 on to the next.
      {{0, 10, 4}, {0, 3, 5, 8, 10}},
      {{-5, 5, 4}, {-5, -2, 0, 3, 5}},
      // Microseconds wider than pixels: each pixel shows the one that its left side is in.
      {{7, 10, 6}, {7, 7, 8, 8, 9, 9, 10}},
      {{7, 8, 3}, {7, 7, 7, 8}},
      {{-kFurthest_us, kFurthest_us, 2}, {-kFurthest_us, 0, kFurthest_us}},
  };
  for (const auto& [axis, begins] : table) {
    std::vector<std::int64_t> found;
    for (int x = 0; x <= axis.width_px; ++x) {
      found.push_back(time_of(axis, x));
    }
    EXPECT_EQ(found, begins);
  }
}

TEST(TimeAxis, RoundTrips) {
  const std::int64_t lengths[] = {1,           2, 3, 999, 1000, 1001, 1'000'003, 31'557'600'000'000,
                                  kFurthest_us};
  const std::int64_t begins[] = {0, -1, 86'400'000'000, -kFurthest_us, 1};
  for (const std::int64_t length : lengths) {
    for (const std::int64_t begin : begins) {
      for (const int width : {1, 2, 333, 1000, 3840}) {
        const TimeAxis axis = made_valid(
            {begin, begin > 0 ? std::min(begin + length, kFurthest_us) : begin + length, width});
        const bool is_fine = length_us(axis) < static_cast<std::uint64_t>(width);
        const Columns columns(axis);
        for (int x = 0; x < width; x += 1 + width / 97) {
          const std::int64_t t = time_of(axis, x);
          const int back = pixel_of(axis, t);
          // The first of the pixels that show a microsecond stands for all of them.
          ASSERT_EQ(is_fine ? time_of(axis, back) : back, is_fine ? t : x) << length << " " << x;
          ASSERT_EQ(pixel_of(axis, time_of(axis, x + 1) - 1) <= x, true);
          ASSERT_EQ(columns.begin_us(columns.of_pixel(x)), t);
          ASSERT_EQ(columns.begin_us(columns.of(t)), t);
        }
        EXPECT_EQ(pixel_of(axis, axis.begin_us - 1), -1);
        EXPECT_EQ(pixel_of(axis, axis.end_us), width);
        EXPECT_EQ(time_of(axis, width), axis.end_us);
      }
    }
  }
}

struct Snap {
  TimeAxis axis;
  std::int64_t anchor_us;
  TimeAxis expected;
};

TEST(TimeAxis, Snapped) {
  const Snap table[] = {
      // 10 us a pixel is 10 * 2^0 already.
      {{0, 1000, 100}, 0, {0, 1000, 100}},
      {{3, 1003, 100}, 503, {3, 1003, 100}},
      // 17 us a pixel: 9 * 2 = 18, beginning at an even time.
      {{0, 1700, 100}, 0, {0, 1800, 100}},
      // The middle stays in the middle: 850 - 900 = -50.
      {{0, 1700, 100}, 850, {-50, 1750, 100}},
      // 100 us: 13 * 8; from 1000 - 0 aligned to eights.
      {{1001, 11'001, 100}, 1001, {1000, 11'400, 100}},
      // Finer than a microsecond a pixel.
      {{0, 50, 100}, 0, {0, 50, 100}},
  };
  for (const Snap& row : table) {
    EXPECT_EQ(snapped(row.axis, row.anchor_us), row.expected) << row.axis.end_us;
  }
}

TEST(TimeAxis, SnappedShowsWhatWasShownAndLittleMore) {
  testing::Dice dice(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t begin = dice.below(std::int64_t{1} << 50);
    TimeAxis axis{begin, begin + 1 + dice.below(std::int64_t{1} << dice.below(55)),
                  1 + static_cast<int>(dice.below(4000))};
    const std::int64_t anchor = begin + dice.below(axis.end_us - begin);
    const TimeAxis result = snapped(axis, anchor);
    ASSERT_LE(result.begin_us, axis.begin_us);
    ASSERT_GE(result.end_us, axis.end_us);
    const std::uint64_t length = length_us(axis);
    const auto width = static_cast<std::uint64_t>(axis.width_px);
    if (length > 64 * width) {
      ASSERT_LE(length_us(result), length + length / 4);
      ASSERT_EQ(length_us(result) % width, 0U);
      // Where it was, but for an eighth of a pixel and the rounding to pixels.
      ASSERT_NEAR(pixel_of(axis, anchor), pixel_of(result, anchor), 1);
    }
  }
}

TEST(TimeAxis, MadeValid) {
  EXPECT_EQ(made_valid({5, 5, 0}), (TimeAxis{5, 6, 1}));
  EXPECT_EQ(made_valid({9, 3, 10}), (TimeAxis{9, 10, 10}));
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(made_valid({-far, far, 1}), (TimeAxis{-kFurthest_us, kFurthest_us, 1}));
}

}  // namespace
}  // namespace aftershock::gui
