#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <gtest/gtest.h>

#include "reports/statistics/bootstrap.h"
#include "reports/statistics/laws.h"
#include "reports/statistics/quantile.h"
#include "reports/statistics/sample.h"
#include "reports/statistics/statistic.h"
#include "reports/statistics/survival.h"

// An interval at 95 % holds the truth in 95 % of samples. Seeds were fixed before anybody looked.
namespace aftershock::reports {
namespace {

using Random = std::mt19937_64;

/// The share of samples whose interval holds `truth`.
double coverage(int samples, double truth,
                const std::function<std::optional<Estimate>(Random&)>& estimate_of) {
  Random random(20261122);
  int held = 0;
  for (int i = 0; i < samples; ++i) {
    const auto estimate = estimate_of(random);
    held += estimate && estimate->interval && estimate->interval->low <= truth &&
            truth <= estimate->interval->high;
  }
  return static_cast<double>(held) / samples;
}

double four_errors(double share, int samples) {
  return 4 * std::sqrt(share * (1 - share) / samples);
}

std::vector<double> normals(Random& random, int n, double mean) {
  boost::random::normal_distribution<double> normal(mean, 2);
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(normal(random));
  return values;
}

std::vector<double> exponentials(Random& random, int n) {
  boost::random::exponential_distribution<double> exponential(1);
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(exponential(random));
  return values;
}

constexpr int kSamples = 4000;

// Exact for normal samples, at any size and level.
TEST(Coverage, OfStudentsMeanIsTheLevel) {
  for (const double level : {0.8, 0.95}) {
    const double share = coverage(kSamples, 7, [&](Random& random) {
      return summarise(normals(random, 5, 7)).mean_estimate(level);
    });
    EXPECT_NEAR(share, level, four_errors(level, kSamples));
  }
}

// first - r second is normal here, and then Fieller's interval is exact, even for four runs.
TEST(Coverage, OfARatioOfMeansIsTheLevel) {
  boost::random::normal_distribution<double> normal;
  const double share = coverage(kSamples, 0.9, [&](Random& random) {
    std::vector<Pair> runs;
    for (int i = 0; i < 4; ++i) {
      const double wall = 100 + 20 * normal(random);
      runs.push_back({0.9 * wall + 5 * normal(random), wall});
    }
    return ratio_of_means(runs);
  });
  EXPECT_NEAR(share, 0.95, four_errors(0.95, kSamples));
}

// The ranks promise a sum of binomial probabilities: at n = 30 the median's ranks 10 to 21 hold it
// with P(10 <= B <= 20) = 0.9572 (Campbell and Gardner 1988 print 95.7 %).
TEST(Coverage, OfAQuantileIsThatOfItsRanks) {
  const double promised =
      static_cast<double>(binomial_cdf(30, 0.5L, 20) - binomial_cdf(30, 0.5L, 9));
  EXPECT_NEAR(promised, 0.957, 0.0005);
  const double share = coverage(kSamples, std::log(2.0), [](Random& random) {
    return quantile_estimate(exponentials(random, 30), 0.5);
  });
  EXPECT_NEAR(share, promised, four_errors(promised, kSamples));
}

// By enumeration, without chance. Newcombe (1998), table II: mean 0.9521 for his choice of n and p,
// least 0.8327; at n = 20, p from 0.05 to 0.95, both must be about that.
TEST(Coverage, OfWilsonsIntervalIsTheLevelOnTheMean) {
  double sum = 0;
  double least = 1;
  constexpr int kPoints = 181;
  for (int i = 0; i < kPoints; ++i) {
    const double p = 0.05 + 0.9 * i / (kPoints - 1);
    double held = 0;
    for (std::int64_t k = 0; k <= 20; ++k) {
      const Interval interval = *probability_estimate(k, 20)->interval;
      if (interval.low > p || p > interval.high) continue;
      held += static_cast<double>(binomial_cdf(20, p, k) - binomial_cdf(20, p, k - 1));
    }
    sum += held;
    least = std::min(least, held);
  }
  EXPECT_NEAR(sum / kPoints, 0.9521, 0.005);
  EXPECT_GT(least, 0.8327);
}

// Asymptotic: a few percent of grace for samples of 60 of which a third is censored.
TEST(Coverage, OfKaplanMeierIsAboutTheLevel) {
  boost::random::exponential_distribution<double> fails(1);
  boost::random::exponential_distribution<double> ends(0.5);
  const double share = coverage(kSamples, std::exp(-1), [&](Random& random) {
    std::vector<Watched> runs;
    for (int i = 0; i < 60; ++i) {
      const double event = fails(random);
      const double end = ends(random);
      runs.push_back({std::llround(std::min(event, end) * 1e6), event <= end});
    }
    return std::optional(survival_at(*kaplan_meier(runs), 1'000'000));
  });
  EXPECT_NEAR(share, 0.95, 0.015);
}

// Efron's correction on a skewed law; DiCiccio and Efron (1996) have it second-order accurate.
TEST(Coverage, OfTheBootstrapIsAboutTheLevel) {
  constexpr int kFew = 800;
  const double share = coverage(kFew, 1, [](Random& random) {
    return bootstrap_mean(exponentials(random, 50), {.seed = random(), .resamples = 600});
  });
  EXPECT_NEAR(share, 0.945, four_errors(0.945, kFew));
}

TEST(ValueOf, NamesEveryNumberOfAnEstimate) {
  using Of = Statistic::Of;
  using Part = Statistic::Part;
  const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Estimate mean = *summarise(values).mean_estimate();
  EXPECT_EQ(value_of({}, values), 5.5);
  EXPECT_EQ(value_of({.part = Part::kLow}, values), mean.interval->low);
  EXPECT_EQ(value_of({.part = Part::kHigh}, values), mean.interval->high);
  EXPECT_NEAR(*value_of({.part = Part::kHalfWidth}, values), mean.interval->high - 5.5, 1e-15);
  EXPECT_LT(value_of({.part = Part::kHalfWidth, .level = 0.5}, values),
            value_of({.part = Part::kHalfWidth}, values));
  EXPECT_EQ(value_of({.of = Of::kQuantile, .probability = 0.5}, values), 5.5);
  EXPECT_EQ(value_of({.of = Of::kQuantile, .part = Part::kHigh}, values), 9);
  EXPECT_FALSE(value_of({.of = Of::kQuantile, .part = Part::kHigh, .probability = 0.99}, values));
  EXPECT_EQ(value_of({.of = Of::kMin}, values), 1);
  EXPECT_EQ(value_of({.of = Of::kMax}, values), 10);
  EXPECT_EQ(value_of({.of = Of::kCount}, values), 10);
  EXPECT_NEAR(*value_of({.of = Of::kDeviation}, values), std::sqrt(82.5 / 9), 1e-15);
  EXPECT_FALSE(value_of({}, std::vector<double>{}));

  const std::vector<Pair> runs{{1, 2}, {3, 4}, {0, 0}};
  EXPECT_EQ(value_of({}, runs), 4 / 6.0);
  EXPECT_EQ(value_of({.of = Of::kMax}, runs), 0.75);
  EXPECT_EQ(value_of({.of = Of::kCount}, runs), 2);

  EXPECT_EQ(value_of_event({}, 3, 12), 0.25);
  EXPECT_EQ(value_of_event({.of = Of::kCount}, 3, 12), 12);
  EXPECT_EQ(value_of_event({.part = Part::kHigh}, 0, 20),
            probability_estimate(0, 20)->interval->high);
  EXPECT_FALSE(value_of_event({.of = Of::kQuantile}, 3, 12));
  EXPECT_FALSE(value_of_event({}, 0, 0));
}

}  // namespace
}  // namespace aftershock::reports
