#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/baseline/judge.h"

// Runs by their metrics alone, for tests of how they are judged.
namespace aftershock::reports {

/// Metrics by name; of one that is there twice the last value counts.
using Values = std::vector<std::pair<std::string, double>>;

/// A run that has these, and of all others nothing.
inline BaselineRun run_with(const Values& values, Verdict verdict = Verdict::kPassed) {
  BaselineRun run;
  run.verdict = verdict;
  run.values.resize(metrics().size());
  for (const auto& [name, value] : values) {
    const bool real = name == "ettr" || name == "useful_share";
    run.values[*metric_named(name)] =
        real ? MetricValue{value} : MetricValue{static_cast<std::int64_t>(value)};
  }
  return run;
}

/// Without decisions.
inline Judgement judged(const BaselineRun& old, const BaselineRun& now,
                        const Margins& margins = {}) {
  return judge(old, now, {}, margins);
}

inline constexpr double kMinute = 60e6;
inline constexpr double kHour = 3600e6;
inline constexpr double kDay = 24 * kHour;

}  // namespace aftershock::reports
