#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// How an interval is made by drawing samples from a sample. Same seed, same interval: the numbers
/// are Philox's, keyed by the seed and counted by resample, whatever else is computed.
struct Bootstrap {
  /// Which of the resamples' quantiles are its ends.
  enum class Method : std::uint8_t {
    kBca,        ///< corrected for bias and skewness (Efron 1987): for samples that are not small
    kPercentile  ///< as they are
  };
  double level = kUsualLevel;
  std::uint64_t seed = 1;
  std::uint32_t resamples = 2000;  ///< time is their number times the sample's size
  Method method = Method::kBca;
};

/// The mean with its bootstrap interval; no interval below two values or for no resamples.
std::optional<Estimate> bootstrap_mean(std::span<const double> values,
                                       const Bootstrap& options = {});

/// Sum of `first` over sum of `second` with its bootstrap interval, runs being drawn whole; none
/// where the sum of `second`, or that of some resample, is 0.
std::optional<Estimate> bootstrap_ratio(std::span<const Pair> runs, const Bootstrap& options = {});

}  // namespace aftershock::reports
