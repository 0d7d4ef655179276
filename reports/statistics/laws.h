#pragma once

#include <cstdint>
#include <optional>

#include "reports/statistics/estimate.h"

// The distributions that intervals are made from: Boost.Math in long double, in one place,
// because its headers cost much to compile.
namespace aftershock::reports {

/// Whether intervals can have this level.
inline bool is_level(double level) { return level > 0 && level < 1; }

/// z with P(Z <= z) = p, for 0 < p < 1; and P(Z <= z).
long double normal_quantile(long double p);
long double normal_cdf(long double z);

/// t with P(|T| <= t) = level for Student's law with `freedom` > 0 degrees, whole or not.
long double student_half_width(long double freedom, double level);

/// t with P(T <= t) = p for Student's law with `freedom` > 0 degrees, 0 < p < 1.
long double student_quantile(long double freedom, long double p);

/// P(X <= k) for a binomial count of n trials; 0 below 0, 1 from n on.
long double binomial_cdf(std::int64_t n, long double p, std::int64_t k);

/// The least k with P(X <= k) >= q, 0 <= q < 1.
std::int64_t binomial_quantile(std::int64_t n, long double p, long double q);

/// The least share of successes under which at most k of n trials succeed with probability `tail`:
/// Clopper and Pearson's upper bound.
long double binomial_upper_bound(long double n, long double k, long double tail);

/// value +- half; none when an end is not a finite double.
std::optional<Interval> symmetric_interval(long double value, long double half);

}  // namespace aftershock::reports
