#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// A run watched until its event (a budget exhausted) or until it ended without (right-censored).
struct Watched {
  std::int64_t t_us = 0;
  bool event = false;
};

/// The curve at a time at which events fell; it is level until the next step.
struct SurvivalStep {
  std::int64_t t_us = 0;
  std::int64_t at_risk = 0;  ///< watched until t_us or longer
  std::int64_t events = 0;
  double survival = 1;               ///< P(T > t)
  double error = 0;                  ///< Greenwood's standard error
  std::optional<Interval> interval;  ///< pointwise, by log(-log); none where nobody is left
};

/// Kaplan and Meier's estimate of how long it takes.
struct SurvivalCurve {
  std::int64_t watched = 0;
  std::int64_t events = 0;
  std::vector<SurvivalStep> steps;
};

/// A time, and the interval around it: its ends are times of events, none beyond what was watched.
struct TimeEstimate {
  std::int64_t t_us = 0;
  std::optional<std::int64_t> low_us;
  std::optional<std::int64_t> high_us;
};

/// The estimate from right-censored times; a run that is censored when another one's event falls
/// was still at risk of it. None for an empty sample, a negative time or no such level.
std::optional<SurvivalCurve> kaplan_meier(std::span<const Watched> runs,
                                          double level = kUsualLevel);

/// P(T > t) by the curve, with its interval; 1 without interval before the first event. Beyond the
/// last time watched it is what it was last.
Estimate survival_at(const SurvivalCurve& curve, std::int64_t t_us);

/// The first time at which the share `p` in (0, 1) has met its event: survival is 1 - p or less.
/// The interval is the curve's own, read at 1 - p (Brookmeyer and Crowley 1982). None where the
/// curve does not fall so far.
std::optional<TimeEstimate> time_quantile(const SurvivalCurve& curve, double p = 0.5);

}  // namespace aftershock::reports
