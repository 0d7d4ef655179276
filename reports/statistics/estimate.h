#pragma once

#include <optional>

// Shared parts of the statistics of many runs. Everywhere in this room: no estimate (an empty
// optional) for input that is empty or not finite and for a level outside of (0, 1); an estimate
// without an interval where the sample is too small, or too odd, to have one at that level. Nothing
// depends on the order of a sample, and results are the same on every machine and build: sums and
// laws are in long double, for which glibc has no variants by processor, and rounded at the end.
namespace aftershock::reports {

/// The confidence level of intervals where none is asked for.
inline constexpr double kUsualLevel = 0.95;

/// A two-sided confidence interval; its ends belong to it.
struct Interval {
  double low = 0;
  double high = 0;

  bool operator==(const Interval&) const = default;
};

/// The estimate of a quantity from a sample.
struct Estimate {
  double value = 0;
  std::optional<Interval> interval;

  bool operator==(const Estimate&) const = default;
};

/// Two numbers of one run, or one number of two paired runs.
struct Pair {
  double first = 0;
  double second = 0;

  bool operator==(const Pair&) const = default;
};

}  // namespace aftershock::reports
