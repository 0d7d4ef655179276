#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reports/statistics/bootstrap.h"
#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// The estimated difference of a quantity between two runs on the same faults (two policies, two
/// builds): always `second` minus `first`.
struct PairedDifference {
  std::int64_t pairs = 0;
  Estimate mean;                      ///< with the paired t interval
  std::optional<Interval> bootstrap;  ///< of the same mean
  std::optional<Interval> unpaired;   ///< Welch's, as if the runs had met different faults
  std::int64_t higher = 0;            ///< pairs in which `second` is greater
  std::int64_t lower = 0;
  std::int64_t equal = 0;
  double sign_p = 1;  ///< exact two-sided sign test of higher against lower
};

/// None for no pairs or values that are not finite; no intervals below two pairs. The reader knows
/// whether higher or lower is better.
std::optional<PairedDifference> paired_difference(std::span<const Pair> pairs,
                                                  const Bootstrap& options = {});

}  // namespace aftershock::reports
