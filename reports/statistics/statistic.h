#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// One number about many runs, as an expression names it: `wall_us.p99`, `ettr.ci95`.
struct Statistic {
  /// The statistic that is asked of the runs' values; a mean and a quantile have intervals.
  enum class Of : std::uint8_t { kMean, kQuantile, kDeviation, kMin, kMax, kCount };
  /// Which number of the estimate.
  enum class Part : std::uint8_t { kValue, kHalfWidth, kLow, kHigh };
  Of of = Of::kMean;
  Part part = Part::kValue;
  double probability = 0.5;  ///< of a quantile
  double level = kUsualLevel;

  bool operator==(const Statistic&) const = default;
};

/// The part of an estimate; none where it has no interval and one is asked for.
std::optional<double> part_of(const std::optional<Estimate>& estimate, Statistic::Part part);

/// The statistic of a sample; its interval of a mean is Student's.
std::optional<double> value_of(const Statistic& statistic, std::span<const double> values);

/// The statistic of a ratio (ETTR): its mean is the ratio of means with Fieller's interval, all
/// else is about the runs' own ratios, of which those without a denominator are left out.
std::optional<double> value_of(const Statistic& statistic, std::span<const Pair> runs);

/// The statistic of a probability: its mean is the share of events, with Wilson's interval. A
/// deviation, a quantile and extremes of one are nothing.
std::optional<double> value_of_event(const Statistic& statistic, std::int64_t events,
                                     std::int64_t trials);

}  // namespace aftershock::reports
