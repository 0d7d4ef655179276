#include "sim/import/fit_laws.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace aftershock::sim::imports {
namespace {

/// Lengths that lie as evenly as can be under a law: its quantiles at (i + 1/2) / n.
template <class Quantile>
Lengths evenly(int count, Quantile quantile) {
  Lengths lengths;
  for (int i = 0; i < count; ++i) {
    lengths.seen.push_back(quantile((i + 0.5) / count));
  }
  return lengths;
}

const Fitted& fitted(const std::vector<Fitted>& all, Law law) {
  return *std::ranges::find(all, law, &Fitted::law);
}

TEST(FitLaws, ExponentialIsTheMeanAndWithCutLengthsTheExposure) {
  // The likelihood is greatest at exposure / ends.
  const Lengths lengths{{1, 2, 6}, {{5, 2}, {1, 1}}};
  const Fitted exponential = fitted(fit_laws(lengths), Law::kExponential);
  EXPECT_NEAR(exponential.scale, 20.0 / 3, 1e-12);
  EXPECT_NEAR(exponential.log_likelihood, -3 * std::log(20.0 / 3) - 3, 1e-9);
  EXPECT_NEAR(exponential.aic, 2 - 2 * exponential.log_likelihood, 1e-9);
}

TEST(FitLaws, LognormalIsMeanAndDeviationOfTheLogarithms) {
  const Lengths lengths{{std::exp(1.0), std::exp(2.0), std::exp(6.0)}, {}};
  const Fitted lognormal = fitted(fit_laws(lengths), Law::kLognormal);
  EXPECT_NEAR(std::log(lognormal.scale), 3, 1e-9);
  EXPECT_NEAR(lognormal.shape, std::sqrt(14.0 / 3), 1e-9);
  EXPECT_NEAR(mean_of(lognormal), std::exp(3 + 14.0 / 6), 1e-6);
}

TEST(FitLaws, FindsTheLawThatLengthsWereTakenFrom) {
  constexpr int kCount = 400;
  const auto weibull =
      fit_laws(evenly(kCount, [](double p) { return 100 * std::pow(-std::log(1 - p), 1 / 0.6); }));
  EXPECT_EQ(weibull.front().law, Law::kWeibull);
  EXPECT_NEAR(weibull.front().shape, 0.6, 0.01);
  EXPECT_NEAR(weibull.front().scale, 100, 2);
  const auto exponential = fit_laws(evenly(kCount, [](double p) { return -50 * std::log(1 - p); }));
  EXPECT_NEAR(fitted(exponential, Law::kWeibull).shape, 1, 0.02);
  EXPECT_NEAR(fitted(exponential, Law::kGamma).shape, 1, 0.03);
  EXPECT_EQ(exponential.front().law, Law::kExponential);  // as good with one parameter less
  // Lengths that lie evenly are half a step from the law.
  EXPECT_NEAR(exponential.front().distance, 0.5 / kCount, 0.3 / kCount);
  EXPECT_GT(exponential.front().p, 0.999);
}

TEST(FitLaws, GammaMeetsItsEquation) {
  // At the greatest likelihood ln(shape) - digamma(shape) = ln(mean) - mean of ln, and the mean is
  // the lengths': for 1, 2, 4, 9 the right side is ln(4) - ln(72)/4.
  const Fitted gamma = fitted(fit_laws({{1, 2, 4, 9}, {}}), Law::kGamma);
  EXPECT_NEAR(mean_of(gamma), 4, 1e-6);
  constexpr double kStep = 1e-5;
  const double digamma =
      (std::lgamma(gamma.shape + kStep) - std::lgamma(gamma.shape - kStep)) / (2 * kStep);
  EXPECT_NEAR(std::log(gamma.shape) - digamma, std::log(4.0) - std::log(72.0) / 4, 1e-4);
}

TEST(FitLaws, KolmogorovsTable) {
  // Critical distances of a large sample: 1.22385, 1.35810, 1.62762 over the root of n at 10, 5
  // and 1 % (Smirnov 1948).
  const std::pair<double, double> table[] = {{1.22385, 0.10}, {1.35810, 0.05}, {1.62762, 0.01}};
  constexpr double kCount = 1e10;
  for (const auto& [lambda, p] : table) {
    EXPECT_NEAR(kolmogorov_p(lambda / std::sqrt(kCount), kCount), p, 1e-4);
  }
}

TEST(FitLaws, ExtremesAreFitted) {
  const Lengths cases[] = {{{1e-9, 1e-9, 1e-9, 1e-9, 1e6}, {}},
                           {{1, 1, 1, 1, 1.0000001}, {}},
                           {{1e5, 2e5, 3e5}, {{876'000, 1e6}}}};
  for (const Lengths& lengths : cases) {
    for (const Fitted& law : fit_laws(lengths)) {
      EXPECT_TRUE(std::isfinite(law.aic)) << kLawNames[static_cast<std::size_t>(law.law)];
      EXPECT_GE(law.distance, 0);
      EXPECT_LE(law.distance, 1);
    }
  }
}

}  // namespace
}  // namespace aftershock::sim::imports
