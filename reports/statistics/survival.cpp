#include "reports/statistics/survival.h"

#include <algorithm>
#include <cmath>

#include "reports/statistics/laws.h"

namespace aftershock::reports {
namespace {

using Real = long double;

/// S^exp(+-w), from log(-log S) +- z * its standard error.
std::optional<Interval> log_log_interval(Real survival, Real greenwood, Real z) {
  if (survival <= 0 || survival >= 1) return std::nullopt;
  const Real log_survival = std::log(survival);
  const Real w = z * std::sqrt(greenwood) / -log_survival;
  return Interval{static_cast<double>(std::exp(log_survival * std::exp(w))),
                  static_cast<double>(std::exp(log_survival * std::exp(-w)))};
}

}  // namespace

std::optional<SurvivalCurve> kaplan_meier(std::span<const Watched> runs, double level) {
  if (runs.empty() || !is_level(level)) return std::nullopt;
  std::vector<Watched> in_order(runs.begin(), runs.end());
  std::ranges::sort(in_order, {}, &Watched::t_us);
  if (in_order.front().t_us < 0) return std::nullopt;

  SurvivalCurve curve{.watched = static_cast<std::int64_t>(runs.size()), .events = 0, .steps = {}};
  const Real z = normal_quantile((1 + static_cast<Real>(level)) / 2);
  Real survival = 1;
  Real greenwood = 0;  // sum of d / (n (n - d))
  for (std::size_t i = 0; i < in_order.size();) {
    SurvivalStep step;
    step.t_us = in_order[i].t_us;
    step.at_risk = static_cast<std::int64_t>(in_order.size() - i);
    for (; i < in_order.size() && in_order[i].t_us == step.t_us; ++i) {
      step.events += in_order[i].event ? 1 : 0;
    }
    if (step.events == 0) continue;
    const auto at_risk = static_cast<Real>(step.at_risk);
    const auto left = static_cast<Real>(step.at_risk - step.events);
    survival *= left / at_risk;
    if (left > 0) greenwood += static_cast<Real>(step.events) / (at_risk * left);
    step.survival = static_cast<double>(survival);
    step.error = static_cast<double>(survival * std::sqrt(greenwood));
    step.interval = log_log_interval(survival, greenwood, z);
    curve.events += step.events;
    curve.steps.push_back(step);
  }
  return curve;
}

Estimate survival_at(const SurvivalCurve& curve, std::int64_t t_us) {
  const auto after = std::ranges::upper_bound(curve.steps, t_us, {}, &SurvivalStep::t_us);
  if (after == curve.steps.begin()) return {.value = 1, .interval = {}};
  const SurvivalStep& step = *std::prev(after);
  return {.value = step.survival, .interval = step.interval};
}

std::optional<TimeEstimate> time_quantile(const SurvivalCurve& curve, double p) {
  if (!(p > 0 && p < 1)) return std::nullopt;
  // A product of fractions that comes to exactly 1 - p may miss it by rounding.
  constexpr double kRounding = 1e-12;
  const double wanted = 1 - p + kRounding;
  std::optional<TimeEstimate> found;
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
  for (const SurvivalStep& step : curve.steps) {
    if (!found && step.survival <= wanted) found = TimeEstimate{step.t_us, {}, {}};
    if (!step.interval) continue;
    if (!low && step.interval->low <= wanted) low = step.t_us;
    if (!high && step.interval->high <= wanted) high = step.t_us;
  }
  if (!found) return std::nullopt;
  found->low_us = low;
  found->high_us = high;
  return found;
}

}  // namespace aftershock::reports
