#include "sim/chance/of_laws.h"

#include <cmath>
#include <string>

#include <boost/math/special_functions/gamma.hpp>
#include <gtest/gtest.h>

#include "sim/chance/gamma_share.h"

namespace aftershock::sim::chance {
namespace {

using Exact = long double;

// On both sides of the shape, where the series and the fraction meet.
TEST(GammaShare, IsWithinItsBound) {
  int looked_at = 0;
  for (const double shape : {1e-3, 0.05, 0.3, 0.5, 1.0, 2.5, 7.0, 30.0, 200.0, 1e3, 1e4, 1e5}) {
    for (int i = -40; i <= 40; ++i) {
      const double x = shape > 20 ? shape + i / 4.0 * std::sqrt(shape) : shape * std::exp2(i / 2.0);
      if (x <= 0) {
        continue;
      }
      const Exact below = boost::math::gamma_p(Exact{shape}, Exact{x});
      const Exact above = boost::math::gamma_q(Exact{shape}, Exact{x});
      if (below < 1e-300L) {
        continue;
      }
      ++looked_at;
      const double share = gamma_share(shape, x);
      const Exact error =
          below < 0.5L ? std::abs(share / below - 1) : std::abs((1 - share) - above);
      const double bound = 0x1p-50 * (10 + shape + x) * (1 + std::abs(std::log(x)));
      ASSERT_LT(error, bound) << shape << " " << x;
    }
  }
  EXPECT_GT(looked_at, 800);
}

TEST(GammaShare, KeepsItsEdges) {
  EXPECT_EQ(gamma_share(2, 0), 0);
  EXPECT_EQ(gamma_share(2, -1), 0);
  EXPECT_EQ(gamma_share(2, INFINITY), 1);
  EXPECT_EQ(gamma_share(2, 1e6), 1);
  // P(N >= 3) of a Poisson count with mean 0.01, from its first terms.
  EXPECT_NEAR(gamma_share(3, 0.01) / (1e-6 / 6 * (1 - 0.75 * 0.01 + 0.3 * 1e-4)), 1, 1e-6);
}

struct MomentRow {
  scenario::Distribution law;
  double mean_us;
  double us;
  double share;
};

scenario::Distribution law_of(decltype(scenario::Distribution::shape) shape) {
  return {.shape = std::move(shape), .min_us = {}, .max_us = {}};
}

// Closed forms: means, and shares at a value where they are known.
TEST(OfLaws, MeansAndSharesAreThoseOfTheTextbook) {
  const double root = std::sqrt(std::acos(-1.0));
  const MomentRow rows[] = {
      {scenario::Distribution::constant(7), 7, 6.5, 0},
      {scenario::Distribution::constant(7), 7, 7, 1},
      {law_of(scenario::Distribution::Exponential{10}), 10, 10, 1 - std::exp(-1.0)},
      {law_of(scenario::Distribution::Exponential{10}), 10, -1, 0},
      {law_of(scenario::Distribution::Uniform{2, 6}), 4, 3, 0.25},
      {law_of(scenario::Distribution::Uniform{2, 6}), 4, 6, 1},
      {law_of(scenario::Distribution::Uniform{5, 5}), 5, 5, 1},
      {law_of(scenario::Distribution::Lognormal{100, 2}), 100 * std::exp(2.0), 100, 0.5},
      {law_of(scenario::Distribution::Lognormal{100, 2}), 100 * std::exp(2.0), 100 * std::exp(2.0),
       std::erfc(-1 / std::sqrt(2.0)) / 2},
      {law_of(scenario::Distribution::Lognormal{100, 2}), 100 * std::exp(2.0), 100 * std::exp(-6.0),
       std::erfc(3 / std::sqrt(2.0)) / 2},
      {law_of(scenario::Distribution::Weibull{10, 2}), 10 * root / 2, 10, 1 - std::exp(-1.0)},
      {law_of(scenario::Distribution::Weibull{10, 2}), 10 * root / 2, 20, 1 - std::exp(-4.0)},
      {law_of(scenario::Distribution::Gamma{10, 2}), 20, 10, 1 - 2 * std::exp(-1.0)},
      {law_of(scenario::Distribution::Gamma{10, 2}), 20, 100, 1 - 11 * std::exp(-10.0)},
      {law_of(scenario::Distribution::Empirical{{1, 2, 9}}), 4, 2, 2.0 / 3},
  };
  for (const MomentRow& row : rows) {
    SCOPED_TRACE(std::to_string(&row - rows));
    EXPECT_NEAR(mean_us(row.law), row.mean_us, 1e-13 * row.mean_us);
    EXPECT_NEAR(share_up_to(row.law, row.us), row.share, 1e-14);
  }
}

}  // namespace
}  // namespace aftershock::sim::chance
