#include "reports/statistics/paired.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "reports/statistics/laws.h"
#include "tests/unit/reports/statistics/odd_numbers.h"

namespace aftershock::reports {
namespace {

// Extra hours of sleep of ten patients under two drugs: Cushny and Peebles (1905), as in Student,
// Biometrika 6 (1908), and R's `sleep`.
std::vector<Pair> sleep() {
  return {{0.7, 1.9}, {-1.6, 0.8}, {-0.2, 1.1}, {-1.2, 0.1}, {-0.1, -0.1},
          {3.4, 4.4}, {3.7, 5.5},  {0.8, 1.6},  {0.0, 4.6},  {2.0, 3.4}};
}

// R's example(sleep): t.test paired gives 1.58 (0.7001142, 2.4598858), Welch's (-0.2054832,
// 3.3654832). Nine signs one way: 2 / 2^9.
TEST(PairedDifference, GivesWhatRSaysOfStudentsSleepers) {
  const auto result = paired_difference(sleep());
  EXPECT_EQ(result->pairs, 10);
  EXPECT_NEAR(result->mean.value, 1.58, 1e-15);
  EXPECT_NEAR(result->mean.interval->low, 0.7001142, 5e-8);
  EXPECT_NEAR(result->mean.interval->high, 2.4598858, 5e-8);
  EXPECT_NEAR(result->unpaired->low, -0.2054832, 5e-8);
  EXPECT_NEAR(result->unpaired->high, 3.3654832, 5e-8);
  EXPECT_EQ(result->higher, 9);
  EXPECT_EQ(result->lower, 0);
  EXPECT_EQ(result->equal, 1);
  EXPECT_EQ(result->sign_p, 0.00390625);
  EXPECT_GT(result->bootstrap->low, 0.7);
  EXPECT_LT(result->bootstrap->high, 3.1);
}

TEST(PairedDifference, SaysNothingOfOddInput) {
  EXPECT_FALSE(paired_difference(std::vector<Pair>{}));
  EXPECT_FALSE(paired_difference(std::vector<Pair>{{1, 2}, {kNan, 1}}));
  EXPECT_FALSE(paired_difference(std::vector<Pair>{{1, 2}, {1, kInfinity}}));
  EXPECT_FALSE(paired_difference(sleep(), {.level = 2}));
  const auto one = paired_difference(std::vector<Pair>{{1, 3}});
  EXPECT_EQ(one->mean, (Estimate{2, {}}));
  EXPECT_FALSE(one->bootstrap || one->unpaired);
  const auto same = paired_difference(std::vector<Pair>{{1, 1}, {5, 5}});
  EXPECT_EQ(same->mean, (Estimate{0, Interval{0, 0}}));
  EXPECT_EQ(same->bootstrap, (Interval{0, 0}));
  EXPECT_EQ(same->sign_p, 1);
}

// Each pair shares its faults, so the difference has no noise of them and the sample has.
TEST(PairedDifference, IsNarrowWhereUnpairedIsWide) {
  std::vector<Pair> pairs;
  for (int i = 0; i < 20; ++i) pairs.push_back({100.0 * i, 100.0 * i + 1 + i % 2});
  const auto result = paired_difference(pairs);
  EXPECT_EQ(result->mean.value, 1.5);
  EXPECT_LT(result->mean.interval->high - result->mean.interval->low, 1);
  EXPECT_GT(result->unpaired->high - result->unpaired->low, 300);
}

std::vector<double> zeros_and_ones(int ones, int n) {
  std::vector<double> values(static_cast<std::size_t>(n), 0);
  std::fill_n(values.begin(), ones, 1);
  return values;
}

// Resamples of zeros and ones sum to a binomial count, whose quantiles are known exactly; an
// empirical quantile of 20,000 draws is off by at most one step of it.
TEST(Bootstrap, DrawsWhatTheBinomialLawSays) {
  const auto estimate =
      bootstrap_mean(zeros_and_ones(12, 40),
                     {.seed = 5, .resamples = 20'000, .method = Bootstrap::Method::kPercentile});
  EXPECT_DOUBLE_EQ(estimate->value, 0.3);
  const auto at = [](long double q) {
    return static_cast<double>(binomial_quantile(40, 0.3L, q)) / 40;
  };
  EXPECT_NEAR(estimate->interval->low, at(0.025L), 1.001 / 40);
  EXPECT_NEAR(estimate->interval->high, at(0.975L), 1.001 / 40);
}

TEST(Bootstrap, FollowsItsSeedAndNotTheOrder) {
  std::vector<double> values{1, 5, 2, 8, 3, 9.5, 1.25, 40};
  const auto wanted = bootstrap_mean(values);
  EXPECT_EQ(bootstrap_mean(values), wanted);
  EXPECT_NE(bootstrap_mean(values, {.seed = 2}), wanted);
  EXPECT_NE(bootstrap_mean(values, {.seed = 1 + (std::uint64_t{1} << 32U)}), wanted);
  std::ranges::reverse(values);
  EXPECT_EQ(bootstrap_mean(values), wanted);
}

// A sample with a long tail upwards: BCa moves both ends up, percentiles do not know of it.
TEST(Bootstrap, BcaKnowsOfSkewness) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(-std::log((i + 0.5) / 30));
  const auto bca = bootstrap_mean(values);
  const auto plain = bootstrap_mean(values, {.method = Bootstrap::Method::kPercentile});
  EXPECT_GT(bca->interval->low, plain->interval->low);
  EXPECT_GT(bca->interval->high, plain->interval->high);
}

TEST(Bootstrap, OfARatioDrawsRunsWhole) {
  std::vector<Pair> runs;
  for (int i = 1; i <= 25; ++i) runs.push_back({0.5 * i, 1.0 * i});
  const auto sure = bootstrap_ratio(runs);
  EXPECT_EQ(sure, (Estimate{0.5, Interval{0.5, 0.5}}));
  EXPECT_FALSE(bootstrap_ratio(std::vector<Pair>{{1, 1}, {1, -1}}));
  EXPECT_EQ(bootstrap_ratio(std::vector<Pair>{{1, 0}, {1, 2}}), (Estimate{1, {}}));
  EXPECT_EQ(bootstrap_mean(std::vector{2.0}), (Estimate{2, {}}));
  EXPECT_EQ(bootstrap_mean(std::vector{2.0, 4.0}, {.resamples = 0}), (Estimate{3, {}}));
  EXPECT_FALSE(bootstrap_mean(std::vector<double>{}));
  EXPECT_FALSE(bootstrap_mean(std::vector{1.0, kNan}));
}

}  // namespace
}  // namespace aftershock::reports
