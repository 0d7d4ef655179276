#include "gui/lod/halves.h"

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "gui/lod/pyramid.h"

namespace aftershock::gui {
namespace {

TEST(Halves, WorkComesOnceToEach) {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 1000U}) {
    for (const bool halved : {false, true}) {
      std::vector<int> came(count);
      std::array<bool, 2> halves{};
      in_halves(count, halved, [&](int half, std::size_t from, std::size_t to) {
        halves[static_cast<std::size_t>(half)] = true;
        for (std::size_t i = from; i < to; ++i) {
          ++came[i];
        }
      });
      EXPECT_EQ(came, std::vector<int>(count, 1));
      EXPECT_EQ(halves[1], halved);
    }
  }
}

struct Spans {
  std::vector<std::int64_t> begin_us;
  std::vector<std::int64_t> end_us;
  std::vector<Kind> kind;

  [[nodiscard]] LaneSpans view() const { return {begin_us, end_us, kind}; }
};

// Each of so many that two threads share them.
Spans spans_of(int lane) {
  Spans spans;
  constexpr std::int64_t kEach_us = 1000;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(kHalvedSpans) / 4; ++i) {
    const std::int64_t long_us = i % 97 == lane ? 40 * kEach_us : i * (lane + 7) % kEach_us;
    spans.begin_us.push_back(i * kEach_us);
    spans.end_us.push_back(i * kEach_us + (i % 5 == 0 ? 0 : long_us));
    spans.kind.push_back(static_cast<Kind>((i * 31 / (lane + 3)) % 9));
  }
  spans.begin_us.push_back(spans.begin_us.back() + kEach_us);  // all end together
  spans.end_us.push_back(spans.begin_us.back() + 100 * kEach_us);
  spans.kind.push_back(Kind::kAttempt);
  return spans;
}

TEST(Halves, APyramidOfManySpansIsThatOfItsLanes) {
  std::vector<Spans> all;
  std::vector<LaneSpans> lanes;
  for (int lane = 0; lane < 5; ++lane) {
    all.push_back(spans_of(lane));
  }
  for (const Spans& spans : all) {
    lanes.push_back(spans.view());
  }
  constexpr std::size_t kBuckets = 50'000;
  const Pyramid whole = make_pyramid(lanes, kBuckets);
  std::vector<Pyramid> parts;
  for (const LaneSpans& lane : lanes) {
    parts.push_back(make_pyramid({&lane, 1}, kBuckets));
    ASSERT_EQ(parts.back().cells.size(), whole.cells.size());
  }
  for (std::size_t i = 0; i < whole.cells.size(); ++i) {
    KindMask mask = 0;
    double covered = 0;
    for (const Pyramid& part : parts) {
      mask |= part.cells[i].mask;
      covered += part.cells[i].covered / 5.0;
    }
    ASSERT_EQ(whole.cells[i].mask, mask) << i;
    // Of a lane with several kinds at once no more than all of the time counts.
    ASSERT_GE(whole.cells[i].covered + 3.0, covered) << i;
  }
  EXPECT_EQ(make_pyramid(lanes, kBuckets).cells, whole.cells) << "whichever thread is first";
}

}  // namespace
}  // namespace aftershock::gui
