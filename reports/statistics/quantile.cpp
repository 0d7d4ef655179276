#include "reports/statistics/quantile.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "reports/statistics/laws.h"
#include "reports/statistics/ordered.h"

namespace aftershock::reports {

using Real = long double;

double quantile_of_ordered(std::span<const double> values, double p) {
  AFTERSHOCK_ASSERT(!values.empty() && p >= 0 && p <= 1);
  const Real place = static_cast<Real>(values.size() - 1) * static_cast<Real>(p);
  const auto below = std::min(static_cast<std::size_t>(place), values.size() - 1);
  const auto above = std::min(below + 1, values.size() - 1);
  const Real part = place - static_cast<Real>(below);
  const auto low = static_cast<Real>(values[below]);
  return static_cast<double>(low + part * (static_cast<Real>(values[above]) - low));
}

std::optional<Estimate> quantile_estimate(std::span<const double> values, double p, double level) {
  const auto in_order = ordered(values);
  if (!in_order || !is_level(level) || !(p > 0 && p < 1)) return std::nullopt;
  Estimate estimate{.value = quantile_of_ordered(*in_order, p), .interval = {}};
  // Of the ranks 1 to n: X(low) is above the quantile when fewer than `low` values are below it, so
  // the tail is P(B <= low - 1); X(high) is below it with P(B >= high).
  const auto n = static_cast<std::int64_t>(in_order->size());
  const Real tail = (1 - static_cast<Real>(level)) / 2;
  const Real share = static_cast<Real>(p);
  const std::int64_t reached = binomial_quantile(n, share, tail);
  const std::int64_t low = binomial_cdf(n, share, reached) <= tail ? reached + 1 : reached;
  const std::int64_t high = binomial_quantile(n, share, 1 - tail) + 1;
  if (low >= 1 && high <= n) {
    estimate.interval = Interval{(*in_order)[static_cast<std::size_t>(low - 1)],
                                 (*in_order)[static_cast<std::size_t>(high - 1)]};
  }
  return estimate;
}

std::optional<double> distribution_band(std::int64_t values, double level) {
  if (values <= 0 || !is_level(level)) return std::nullopt;
  const Real root =
      std::sqrt(std::log(2 / (1 - static_cast<Real>(level))) / (2 * static_cast<Real>(values)));
  return std::min(1.0, static_cast<double>(root));
}

std::optional<Estimate> probability_estimate(std::int64_t events, std::int64_t trials,
                                             double level) {
  if (trials <= 0 || events < 0 || events > trials || !is_level(level)) return std::nullopt;
  const auto n = static_cast<Real>(trials);
  const Real share = static_cast<Real>(events) / n;
  const Real z = normal_quantile((1 + static_cast<Real>(level)) / 2);
  const Real z2 = z * z;
  const Real middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const Real half = z * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
  // At the edges the ends are 0 and 1 in truth, and in long double almost.
  const Real low = events == 0 ? 0 : middle - half;
  const Real high = events == trials ? 1 : middle + half;
  return Estimate{.value = static_cast<double>(share),
                  .interval = Interval{static_cast<double>(low), static_cast<double>(high)}};
}

std::optional<double> sign_test(std::int64_t higher, std::int64_t lower) {
  if (higher < 0 || lower < 0) return std::nullopt;
  const Real tail = binomial_cdf(higher + lower, 0.5L, std::min(higher, lower));
  return static_cast<double>(std::min<Real>(1, 2 * tail));
}

}  // namespace aftershock::reports
