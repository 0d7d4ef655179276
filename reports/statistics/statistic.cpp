#include "reports/statistics/statistic.h"

#include <vector>

#include "reports/statistics/quantile.h"
#include "reports/statistics/sample.h"

namespace aftershock::reports {

std::optional<double> part_of(const std::optional<Estimate>& estimate, Statistic::Part part) {
  if (!estimate) return std::nullopt;
  if (part == Statistic::Part::kValue) return estimate->value;
  if (!estimate->interval) return std::nullopt;
  const auto [low, high] = *estimate->interval;
  if (part == Statistic::Part::kLow) return low;
  if (part == Statistic::Part::kHigh) return high;
  return high / 2 - low / 2;
}

std::optional<double> value_of(const Statistic& statistic, std::span<const double> values) {
  switch (statistic.of) {
    case Statistic::Of::kMean:
      return part_of(summarise(values).mean_estimate(statistic.level), statistic.part);
    case Statistic::Of::kQuantile:
      return part_of(quantile_estimate(values, statistic.probability, statistic.level),
                     statistic.part);
    case Statistic::Of::kDeviation:
      return summarise(values).deviation();
    case Statistic::Of::kMin:
      return summarise(values).min();
    case Statistic::Of::kMax:
      return summarise(values).max();
    case Statistic::Of::kCount:
      return static_cast<double>(values.size());
  }
  return std::nullopt;
}

std::optional<double> value_of(const Statistic& statistic, std::span<const Pair> runs) {
  if (statistic.of == Statistic::Of::kMean) {
    return part_of(ratio_of_means(runs, statistic.level), statistic.part);
  }
  std::vector<double> ratios;
  for (const Pair& run : runs) {
    if (run.second != 0) ratios.push_back(run.first / run.second);
  }
  return value_of(statistic, ratios);
}

std::optional<double> value_of_event(const Statistic& statistic, std::int64_t events,
                                     std::int64_t trials) {
  if (statistic.of == Statistic::Of::kCount) return static_cast<double>(trials);
  if (statistic.of != Statistic::Of::kMean) return std::nullopt;
  return part_of(probability_estimate(events, trials, statistic.level), statistic.part);
}

}  // namespace aftershock::reports
