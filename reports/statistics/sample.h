#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// Count, mean, variance, least and greatest of a sample that goes by: Welford's recurrence, merged
/// by the formula of Chan, Golub and LeVeque (1979). The last bits of a long double depend on the
/// order in which values come; where no bit may, use `summarise`.
class SampleSummary {
 public:
  /// Takes a value in. One that is not finite spoils the summary: it has only its count then.
  void add(double value);
  /// Takes in what another summary has seen.
  void merge(const SampleSummary& other);

  [[nodiscard]] std::int64_t count() const { return count_; }
  /// None for an empty or spoilt sample.
  [[nodiscard]] std::optional<double> mean() const;
  [[nodiscard]] std::optional<double> min() const;
  [[nodiscard]] std::optional<double> max() const;
  /// Of the population (n - 1 in the denominator); none below two values.
  [[nodiscard]] std::optional<double> variance() const;
  [[nodiscard]] std::optional<double> deviation() const;

  /// The mean with its Student-t interval, which needs two values.
  [[nodiscard]] std::optional<Estimate> mean_estimate(double level = kUsualLevel) const;

 private:
  friend std::optional<Estimate> mean_difference(const SampleSummary& first,
                                                 const SampleSummary& second, double level);

  [[nodiscard]] bool usable() const { return count_ > 0 && !spoilt_; }
  /// The square of the mean's standard error.
  [[nodiscard]] long double mean_variance() const;

  std::int64_t count_ = 0;
  bool spoilt_ = false;
  double min_ = 0;
  double max_ = 0;
  long double mean_ = 0;
  long double squares_ = 0;  ///< sum of squared distances from the mean
};

/// The summary of a whole sample, the same for every order.
SampleSummary summarise(std::span<const double> values);

/// Mean of `second` minus mean of `first`, of independent samples, with Welch's interval, which
/// needs two values of each.
std::optional<Estimate> mean_difference(const SampleSummary& first, const SampleSummary& second,
                                        double level = kUsualLevel);

/// Sum of `first` over sum of `second`: ETTR of many runs is productive over wall, which is not the
/// mean of the runs' ratios (oracles.md, Tolerances). Its interval is Fieller's (1954):
/// those ratios r for which a t test does not tell the mean of first - r second from 0. That has
/// the coverage of a t test at every sample size, where the delta method's symmetric interval is
/// its limit for many runs and too short for few; it needs no resampling. None below two runs, and
/// where the sum of `second` cannot be told from 0, for then no bounded set of ratios is left.
std::optional<Estimate> ratio_of_means(std::span<const Pair> runs, double level = kUsualLevel);

}  // namespace aftershock::reports
