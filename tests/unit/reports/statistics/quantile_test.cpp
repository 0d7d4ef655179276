#include "reports/statistics/quantile.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/reports/statistics/odd_numbers.h"

namespace aftershock::reports {
namespace {

/// 1 to n, so that a value is its rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

// Ranks of the 95 % interval of a median: Campbell and Gardner, BMJ 296 (1988), table III.
TEST(QuantileEstimate, HasTheRanksOfTheTableForAMedian) {
  struct Row {
    std::size_t n;
    double low, high;
  };
  for (const auto& [n, low, high] :
       {Row{6, 1, 6}, Row{8, 1, 8}, Row{9, 2, 8}, Row{10, 2, 9}, Row{12, 3, 10}, Row{15, 4, 12},
        Row{20, 6, 15}, Row{25, 8, 18}, Row{30, 10, 21}, Row{40, 14, 27}, Row{50, 18, 33}}) {
    EXPECT_EQ(quantile_estimate(ranks(n), 0.5)->interval, (Interval{low, high})) << n;
  }
}

// With p^n (and (1-p)^n) for a tail: 0.5^5 > 0.025 > 0.5^6; 0.99^367 > 0.025 > 0.99^368; at 99 %
// 0.5^7 > 0.005 > 0.5^8.
TEST(QuantileEstimate, HasNoIntervalWhereTheSampleIsTooSmall) {
  EXPECT_FALSE(quantile_estimate(ranks(5), 0.5)->interval);
  EXPECT_TRUE(quantile_estimate(ranks(6), 0.5)->interval);
  EXPECT_FALSE(quantile_estimate(ranks(7), 0.5, 0.99)->interval);
  EXPECT_TRUE(quantile_estimate(ranks(8), 0.5, 0.99)->interval);
  EXPECT_FALSE(quantile_estimate(ranks(367), 0.99)->interval);
  EXPECT_EQ(quantile_estimate(ranks(368), 0.99)->interval->high, 368);
  EXPECT_FALSE(quantile_estimate(ranks(367), 0.01)->interval);
  EXPECT_EQ(quantile_estimate(ranks(368), 0.01)->interval->low, 1);
}

// Hyndman and Fan's type 7 is at rank 1 + (n - 1) p.
TEST(QuantileEstimate, LiesBetweenOrderStatisticsAsInR) {
  EXPECT_EQ(quantile_estimate(std::vector{3.0, 1.0, 2.0, 10.0}, 0.5)->value, 2.5);
  EXPECT_EQ(quantile_estimate(std::vector{3.0, 1.0, 2.0, 10.0}, 0.25)->value, 1.75);
  EXPECT_DOUBLE_EQ(quantile_estimate(ranks(101), 0.99)->value, 100);
  EXPECT_EQ(quantile_estimate(std::vector{7.0}, 0.9), (Estimate{7, {}}));
}

TEST(QuantileEstimate, SaysNothingOfOddInput) {
  EXPECT_FALSE(quantile_estimate(std::vector<double>{}, 0.5));
  EXPECT_FALSE(quantile_estimate(std::vector{1.0, kNan}, 0.5));
  EXPECT_FALSE(quantile_estimate(std::vector{1.0, kInfinity}, 0.5));
  for (const double p : {0.0, 1.0, -1.0, 99.0, kNan}) {
    EXPECT_FALSE(quantile_estimate(ranks(9), p)) << p;
    EXPECT_FALSE(quantile_estimate(ranks(9), 0.5, p)) << p;
  }
}

// Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
TEST(ProbabilityEstimate, IsNewcombesScoreInterval) {
  struct Row {
    std::int64_t events, trials;
    double low, high;
  };
  for (const auto& [events, trials, low, high] :
       {Row{81, 263, 0.2553, 0.3662}, Row{15, 148, 0.0624, 0.1605}, Row{0, 20, 0, 0.1611},
        Row{1, 29, 0.0061, 0.1718}}) {
    const auto estimate = probability_estimate(events, trials);
    EXPECT_DOUBLE_EQ(estimate->value, static_cast<double>(events) / static_cast<double>(trials));
    EXPECT_NEAR(estimate->interval->low, low, 0.00005001);
    EXPECT_NEAR(estimate->interval->high, high, 0.00005001);
    const auto mirrored = probability_estimate(trials - events, trials);
    EXPECT_NEAR(mirrored->interval->low, 1 - high, 0.00005001);
  }
  EXPECT_EQ(probability_estimate(0, 20)->interval->low, 0);
  EXPECT_EQ(probability_estimate(20, 20)->interval->high, 1);
}

TEST(ProbabilityEstimate, SaysNothingOfOddInput) {
  EXPECT_FALSE(probability_estimate(0, 0));
  EXPECT_FALSE(probability_estimate(-1, 5));
  EXPECT_FALSE(probability_estimate(6, 5));
  EXPECT_FALSE(probability_estimate(1, 5, 1.0));
}

TEST(DistributionBand, IsThatOfDvoretzkyKieferAndWolfowitz) {
  // Tables of Kolmogorov's statistic have 1.358 / sqrt(n) for 95 % and 1.628 / sqrt(n) for 99 %.
  EXPECT_NEAR(*distribution_band(100), 0.1358, 5e-5);
  EXPECT_NEAR(*distribution_band(10'000, 0.99), 0.01628, 5e-6);
  EXPECT_EQ(distribution_band(1), 1);
  EXPECT_FALSE(distribution_band(0));
  EXPECT_FALSE(distribution_band(10, 1.5));
}

TEST(SignTest, IsTwiceTheBinomialTail) {
  EXPECT_EQ(sign_test(9, 0), 2 / 512.0);
  EXPECT_NEAR(*sign_test(2, 10), 2 * (1 + 12 + 66) / 4096.0, 1e-15);
  EXPECT_EQ(sign_test(10, 2), sign_test(2, 10));
  EXPECT_EQ(sign_test(5, 5), 1);
  EXPECT_EQ(sign_test(0, 0), 1);
  EXPECT_FALSE(sign_test(-1, 2));
}

TEST(QuantileDeathTest, AnOrderedSampleIsNotEmpty) {
  EXPECT_DEATH(quantile_of_ordered({}, 0.5), "assertion failed");
}

}  // namespace
}  // namespace aftershock::reports
