#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// The quantile at `p` in (0, 1), between order statistics as R and NumPy have it by default
/// (Hyndman and Fan 1996, type 7). Its interval is from one order statistic to another and assumes
/// nothing of the law (David and Nagaraja 2003, 7.1): each end is beyond the true quantile with a
/// probability of at most (1 - level) / 2, by the binomial count of values below it. No interval
/// where the sample is too small to have such an order statistic: 95 % take 6 values for a median,
/// 368 for a p99.
std::optional<Estimate> quantile_estimate(std::span<const double> values, double p,
                                          double level = kUsualLevel);

/// The quantile alone of a sample in ascending order, not empty.
double quantile_of_ordered(std::span<const double> values, double p);

/// Half the height of the band around the shares of runs up to each value that holds the whole
/// distribution function with this probability, whatever the law: Dvoretzky, Kiefer and Wolfowitz,
/// with Massart's constant (1990). At most 1; none without values.
std::optional<double> distribution_band(std::int64_t values, double level = kUsualLevel);

/// A probability from `events` in `trials` runs, with Wilson's score interval (1927) without
/// continuity correction. None unless 0 <= events <= trials and trials > 0.
std::optional<Estimate> probability_estimate(std::int64_t events, std::int64_t trials,
                                             double level = kUsualLevel);

/// The two-sided exact p-value of the sign test: how likely a count as lopsided as this one is
/// where either sign is as likely as the other. 1 for no signs at all; ties are left out. None for
/// a negative count.
std::optional<double> sign_test(std::int64_t higher, std::int64_t lower);

}  // namespace aftershock::reports
