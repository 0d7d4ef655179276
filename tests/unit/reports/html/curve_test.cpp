#include "reports/html/curve.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace aftershock::reports {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

constexpr CurvePoint at(std::int64_t t_us, double value) { return {t_us, value}; }

TEST(ReducedCurve, KeepsFewPointsAsTheyAre) {
  const std::vector<CurvePoint> points{at(0, 1), at(5, 9), at(9, 2)};
  EXPECT_EQ(reduced(points, 1), points);
  EXPECT_TRUE(reduced({}, 4).empty());
}

TEST(ReducedCurve, KeepsFirstLeastGreatestAndLastOfAStretch) {
  // One stretch: 3 first, 9 greatest, 1 least, 4 last.
  const std::vector<CurvePoint> points{at(0, 3), at(1, 5), at(2, 9), at(3, 2), at(4, 1), at(5, 4)};
  EXPECT_THAT(reduced(points, 1), ElementsAre(at(0, 3), at(2, 9), at(4, 1), at(5, 4)));
}

TEST(ReducedCurve, PointsAtOneTimeStayInTheirOrder) {
  std::vector<CurvePoint> points;
  for (int i = 0; i < 9; ++i) {
    points.push_back(at(7, i));
  }
  EXPECT_THAT(reduced(points, 1), ElementsAre(at(7, 0), at(7, 8)));
}

TEST(CurveBuilder, LosesNoPeakOfAMillionPoints) {
  CurveBuilder curve;
  for (std::int64_t i = 0; i < 1'000'000; ++i) {
    curve.add(i * 1000, i == 123'456 ? 1e6 : i == 765'432 ? -7 : static_cast<double>(i % 10));
  }
  const auto points = curve.points();
  EXPECT_LE(points.size(), 4U * 301U);
  EXPECT_THAT(points, Contains(at(123'456'000, 1e6)));
  EXPECT_THAT(points, Contains(at(765'432'000, -7)));
  EXPECT_EQ(points.front(), at(0, 0));
  EXPECT_EQ(points.back(), at(999'999'000, 9));
}

TEST(SeriesValue, StandsOrSlopesBetweenPoints) {
  const Series series{.name = "s", .points = {at(10, 1), at(20, 3)}};
  EXPECT_TRUE(std::isnan(value_at(series, 9, true)));
  EXPECT_EQ(value_at(series, 15, true), 1);
  EXPECT_EQ(value_at(series, 15, false), 2);
  EXPECT_EQ(value_at(series, 20, false), 3);
  EXPECT_EQ(value_at(series, 99, false), 3);
}

}  // namespace
}  // namespace aftershock::reports
