#include "reports/statistics/laws.h"

#include <cmath>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include "base/assert.h"

namespace aftershock::reports {
namespace {

using Real = long double;
using Rounding = boost::math::policies::discrete_quantile<boost::math::policies::integer_round_up>;
using Binomial = boost::math::binomial_distribution<Real, boost::math::policies::policy<Rounding>>;

}  // namespace

Real normal_quantile(Real p) {
  AFTERSHOCK_ASSERT(p > 0 && p < 1);
  return quantile(boost::math::normal_distribution<Real>(), p);
}

Real normal_cdf(Real z) { return cdf(boost::math::normal_distribution<Real>(), z); }

Real student_half_width(Real freedom, double level) {
  AFTERSHOCK_ASSERT(freedom > 0 && is_level(level));
  const Real tail = (1 - static_cast<Real>(level)) / 2;
  return quantile(complement(boost::math::students_t_distribution<Real>(freedom), tail));
}

Real student_quantile(Real freedom, Real p) {
  AFTERSHOCK_ASSERT(freedom > 0 && p > 0 && p < 1);
  return quantile(boost::math::students_t_distribution<Real>(freedom), p);
}

Real binomial_cdf(std::int64_t n, Real p, std::int64_t k) {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return cdf(Binomial(static_cast<Real>(n), p), static_cast<Real>(k));
}

std::int64_t binomial_quantile(std::int64_t n, Real p, Real q) {
  AFTERSHOCK_ASSERT(n > 0 && q >= 0 && q < 1);
  auto k = static_cast<std::int64_t>(quantile(Binomial(static_cast<Real>(n), p), q));
  // Boost's root may be a step off where the cumulative probability all but touches q.
  while (k > 0 && binomial_cdf(n, p, k - 1) >= q) --k;
  while (binomial_cdf(n, p, k) < q) ++k;
  return k;
}

Real binomial_upper_bound(Real n, Real k, Real tail) {
  return boost::math::binomial_distribution<Real>::find_upper_bound_on_p(n, k, tail);
}

std::optional<Interval> symmetric_interval(Real value, Real half) {
  const Interval interval{static_cast<double>(value - half), static_cast<double>(value + half)};
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return std::nullopt;
  return interval;
}

}  // namespace aftershock::reports
