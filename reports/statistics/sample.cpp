#include "reports/statistics/sample.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/assert.h"
#include "reports/statistics/laws.h"
#include "reports/statistics/ordered.h"

namespace aftershock::reports {
namespace {

using Real = long double;

std::optional<double> finite(Real value) {
  const auto rounded = static_cast<double>(value);
  if (!std::isfinite(rounded)) return std::nullopt;
  return rounded;
}

}  // namespace

void SampleSummary::add(double value) {
  ++count_;
  spoilt_ = spoilt_ || !std::isfinite(value);
  if (spoilt_) return;
  min_ = count_ == 1 ? value : std::min(min_, value);
  max_ = count_ == 1 ? value : std::max(max_, value);
  const Real off = static_cast<Real>(value) - mean_;
  mean_ += off / static_cast<Real>(count_);
  squares_ += off * (static_cast<Real>(value) - mean_);
}

void SampleSummary::merge(const SampleSummary& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  const auto mine = static_cast<Real>(count_);
  const auto theirs = static_cast<Real>(other.count_);
  const Real off = other.mean_ - mean_;
  count_ += other.count_;
  spoilt_ = spoilt_ || other.spoilt_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  mean_ += off * (theirs / (mine + theirs));
  squares_ += other.squares_ + off * off * (mine * theirs / (mine + theirs));
}

std::optional<double> SampleSummary::mean() const {
  return usable() ? finite(mean_) : std::nullopt;
}

std::optional<double> SampleSummary::min() const {
  return usable() ? std::optional(min_) : std::nullopt;
}

std::optional<double> SampleSummary::max() const {
  return usable() ? std::optional(max_) : std::nullopt;
}

std::optional<double> SampleSummary::variance() const {
  if (!usable() || count_ < 2) return std::nullopt;
  return finite(squares_ / static_cast<Real>(count_ - 1));
}

std::optional<double> SampleSummary::deviation() const {
  if (!usable() || count_ < 2) return std::nullopt;
  return finite(std::sqrt(squares_ / static_cast<Real>(count_ - 1)));
}

Real SampleSummary::mean_variance() const {
  AFTERSHOCK_ASSERT(count_ > 1);
  return squares_ / (static_cast<Real>(count_ - 1) * static_cast<Real>(count_));
}

std::optional<Estimate> SampleSummary::mean_estimate(double level) const {
  if (!usable() || !is_level(level)) return std::nullopt;
  Estimate estimate{.value = static_cast<double>(mean_), .interval = {}};
  if (count_ > 1) {
    const Real t = student_half_width(static_cast<Real>(count_ - 1), level);
    estimate.interval = symmetric_interval(mean_, t * std::sqrt(mean_variance()));
  }
  return estimate;
}

SampleSummary summarise(std::span<const double> values) {
  SampleSummary summary;
  // A sample that cannot be ordered comes to its count, for which the order does not matter.
  const auto in_order = ordered(values);
  if (!in_order) {
    for (const double value : values) summary.add(value);
    return summary;
  }
  for (const double value : *in_order) summary.add(value);
  return summary;
}

std::optional<Estimate> mean_difference(const SampleSummary& first, const SampleSummary& second,
                                        double level) {
  if (!first.usable() || !second.usable() || !is_level(level)) return std::nullopt;
  const Real difference = second.mean_ - first.mean_;
  const auto value = finite(difference);
  if (!value) return std::nullopt;
  Estimate estimate{.value = *value, .interval = {}};
  if (first.count_ < 2 || second.count_ < 2) return estimate;
  const Real one = first.mean_variance();
  const Real two = second.mean_variance();
  const Real sum = one + two;
  if (sum == 0) {
    estimate.interval = symmetric_interval(difference, 0);
    return estimate;
  }
  // Welch's degrees of freedom; shares first, so that no square overflows.
  const Real share = one / sum;
  const Real freedom = 1 / (share * share / static_cast<Real>(first.count_ - 1) +
                            (1 - share) * (1 - share) / static_cast<Real>(second.count_ - 1));
  estimate.interval =
      symmetric_interval(difference, student_half_width(freedom, level) * std::sqrt(sum));
  return estimate;
}

std::optional<Estimate> ratio_of_means(std::span<const Pair> runs, double level) {
  const auto in_order = ordered(runs);
  if (!in_order || !is_level(level)) return std::nullopt;
  const auto n = static_cast<Real>(runs.size());
  Real first = 0;
  Real second = 0;
  for (const Pair& run : *in_order) {
    first += static_cast<Real>(run.first);
    second += static_cast<Real>(run.second);
  }
  const Real ratio = first / second;
  if (second == 0 || !finite(ratio)) return std::nullopt;
  Estimate estimate{.value = static_cast<double>(ratio), .interval = {}};
  if (runs.size() < 2) return estimate;

  // Variances of the means of d = first - ratio * second, whose mean is 0, and of `second`.
  const Real mean = second / n;
  Real dd = 0;
  Real dx = 0;
  Real xx = 0;
  for (const Pair& run : *in_order) {
    const Real d = static_cast<Real>(run.first) - ratio * static_cast<Real>(run.second);
    const Real x = static_cast<Real>(run.second) - mean;
    dd += d * d / (n * (n - 1));
    dx += d * x / (n * (n - 1));
    xx += x * x / (n * (n - 1));
  }
  // r = ratio + e is in the set when (e mean)^2 <= t^2 (dd - 2 e dx + e^2 xx); solved for e and
  // not for r, so that what is left of a large ratio's square need not carry the interval.
  const Real t = student_half_width(n - 1, level);
  const Real square = mean * mean - t * t * xx;
  if (square <= 0) return estimate;
  const Real middle = -t * t * dx / square;
  const Real half = t * std::sqrt(std::max<Real>(0, t * t * dx * dx + square * dd)) / square;
  estimate.interval = symmetric_interval(ratio + middle, half);
  return estimate;
}

}  // namespace aftershock::reports
