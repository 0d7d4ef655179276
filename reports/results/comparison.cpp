#include "reports/results/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "base/assert.h"
#include "reports/results/ending.h"
#include "reports/results/metric_bounds.h"
#include "reports/results/store_schema.h"
#include "reports/statistics/sample.h"

namespace aftershock::reports {
namespace {

std::optional<double> value_at(const RunRow& row, std::size_t column) {
  return column < row.values.size() ? number_of(row.values[column]) : std::nullopt;
}

/// Rows of two cells that are of one replica; both are in its order.
std::vector<std::pair<const RunRow*, const RunRow*>> pairs_of(const std::vector<RunRow>& first,
                                                              const std::vector<RunRow>& second) {
  std::vector<std::pair<const RunRow*, const RunRow*>> pairs;
  auto other = second.begin();
  for (const RunRow& row : first) {
    while (other != second.end() && other->replica < row.replica) {
      ++other;
    }
    if (other != second.end() && other->replica == row.replica && !row.values.empty() &&
        !other->values.empty()) {
      pairs.emplace_back(&row, &*other);
    }
  }
  return pairs;
}

double width(const Interval& interval) { return interval.high - interval.low; }

MetricDifference differ(const std::string& name, Better better, const Bounds& bounds,
                        const std::vector<Pair>& pairs, bool is_goal) {
  MetricDifference metric;
  metric.name = name;
  metric.better = better;
  // An interval by drawing takes 2000 times as long as all else: only where it is asked about.
  metric.difference = *paired_difference(pairs, is_goal ? Bootstrap{} : Bootstrap{.resamples = 0});
  for (const Pair& pair : pairs) {
    metric.first += pair.first / static_cast<double>(pairs.size());
    metric.second += pair.second / static_cast<double>(pairs.size());
  }
  const PairedDifference& of = metric.difference;
  if (better != Better::kNeither) {
    metric.better_runs = better == Better::kHigher ? of.higher : of.lower;
    metric.worse_runs = better == Better::kHigher ? of.lower : of.higher;
  }
  if (of.mean.interval && of.unpaired && width(*of.mean.interval) > 0) {
    metric.narrower = width(*of.unpaired) / width(*of.mean.interval);
  }
  metric.difference.mean = *within(of.mean, {bounds.low - bounds.high, bounds.high - bounds.low});
  return metric;
}

/// Where the goal differs most, and where the other way than in the mean.
void look_at_runs(CellDifference& found, std::size_t column, double mean,
                  const std::vector<std::pair<const RunRow*, const RunRow*>>& pairs) {
  std::vector<std::pair<double, std::uint32_t>> flips;
  double most = 0;
  for (const auto& [first, second] : pairs) {
    const auto a = value_at(*first, column);
    const auto b = value_at(*second, column);
    if (!a || !b) {
      continue;
    }
    const double difference = *b - *a;
    if (std::abs(difference) > most) {
      most = std::abs(difference);
      found.widest = first->replica;
    }
    if (difference * mean < 0) {
      flips.emplace_back(-std::abs(difference), first->replica);
    }
  }
  std::ranges::sort(flips);
  for (const auto& [order, replica] : flips) {
    found.flips.push_back(replica);
  }
}

bool ended_apart(const RunRow& first, const RunRow& second) {
  const auto lives = number_of(first, "alive");
  return lives != number_of(second, "alive") ||
         (lives == 0.0 && number_of(first, "wall_us") != number_of(second, "wall_us"));
}

CellDifference compare_two(const CellRows& rows, std::uint32_t second, const StoreHeader& header,
                           const std::string& goal) {
  CellDifference found;
  found.second = second;
  const auto pairs = pairs_of(rows[0], rows[second]);
  found.pairs = static_cast<std::int64_t>(pairs.size());
  found.identical = std::ranges::count_if(
      pairs, [](const auto& pair) { return pair.first->hash == pair.second->hash; });
  found.ended_apart = std::ranges::count_if(
      pairs, [](const auto& pair) { return ended_apart(*pair.first, *pair.second); });
  const std::vector<std::string> names = value_columns(header);
  for (std::size_t column = 0; column < names.size(); ++column) {
    std::vector<Pair> values;
    for (const auto& [a, b] : pairs) {
      const auto in_a = value_at(*a, column);
      const auto in_b = value_at(*b, column);
      if (in_a && in_b && std::isfinite(*in_a) && std::isfinite(*in_b)) {
        values.push_back({*in_a, *in_b});
      }
    }
    if (values.empty()) {
      continue;
    }
    const bool is_goal = names[column] == goal;
    const Better better = column < metrics().size() ? metrics()[column].better : Better::kNeither;
    found.metrics.push_back(
        differ(names[column], better, bounds_of_column(column), values, is_goal));
    if (is_goal) {
      found.goal = found.metrics.size() - 1;
      look_at_runs(found, column, found.metrics.back().difference.mean.value, pairs);
    }
  }
  return found;
}

std::optional<Regret> regret_of(std::uint32_t cell, const std::vector<RunRow>& rows,
                                const StartCosts& costs) {
  std::vector<double> bounds;
  std::vector<double> regrets;
  for (const RunRow& row : rows) {
    const auto bound = hindsight_useful(row, costs);
    const auto useful = number_of(row, "useful_share");
    if (bound && useful) {
      bounds.push_back(*bound);
      regrets.push_back(*bound - *useful);
    }
  }
  const auto bound = within(summarise(bounds).mean_estimate(), kShareBounds);
  // A run's own share is never above its bound.
  const auto regret = within(summarise(regrets).mean_estimate(), kShareBounds);
  if (!bound || !regret) {
    return std::nullopt;
  }
  return Regret{cell, static_cast<std::int64_t>(bounds.size()), *bound, *regret};
}

}  // namespace

std::optional<double> hindsight_useful(const RunRow& run, const StartCosts& costs) {
  const auto number = [&run](std::string_view metric) {
    return number_of(run, metric).value_or(0);
  };
  const double wall_us = number("wall_us");
  if (run.values.empty() || wall_us <= 0) {
    return std::nullopt;
  }
  double starts_us = 0;
  for (const char* bucket :
       {"launching_us", "rendezvous_us", "restoring_us", "warming_up_us", "finalizing_us"}) {
    starts_us += number(bucket);
  }
  const double restarts = std::min(number("recoveries"), std::max(0.0, number("attempts") - 1));
  const double least_us =
      static_cast<double>(costs.first_us) + restarts * static_cast<double>(costs.restart_us);
  const double spent_us = std::min(least_us, starts_us);
  const double productive_us = number("productive_us");
  if (number("completed") > 0) {
    return productive_us / (productive_us + spent_us);
  }
  return costs.horizon_us > 0 ? 1 - spent_us / static_cast<double>(costs.horizon_us) : 1.0;
}

namespace {

void add_endings(std::uint32_t cell, const std::vector<RunRow>& rows, Comparison& comparison) {
  std::map<std::string, std::int64_t> counts;
  for (const RunRow& row : rows) {
    if (const std::string how = ending_of(row); !how.empty()) {
      ++counts[how];
    }
  }
  const auto begin = static_cast<std::ptrdiff_t>(comparison.endings.size());
  for (const auto& [how, runs] : counts) {
    comparison.endings.push_back({cell, how, runs});
  }
  std::stable_sort(comparison.endings.begin() + begin, comparison.endings.end(),
                   [](const Ending& a, const Ending& b) { return a.runs > b.runs; });
}

}  // namespace

Comparison compare_cells(const StoreHeader& header, const CellRows& rows, const std::string& goal,
                         const std::vector<StartCosts>& costs) {
  AFTERSHOCK_ASSERT(rows.size() == header.cells.size());
  AFTERSHOCK_ASSERT(costs.empty() || costs.size() == rows.size());
  Comparison comparison{
      .header = header, .goal = goal, .differences = {}, .moving_faults = {}, .regrets = {}};
  for (std::uint32_t cell = 1; cell < rows.size(); ++cell) {
    comparison.differences.push_back(compare_two(rows, cell, header, goal));
  }
  for (std::uint32_t cell = 0; cell < rows.size(); ++cell) {
    add_endings(cell, rows[cell], comparison);
  }
  for (std::uint32_t cell = 0; cell < costs.size(); ++cell) {
    if (const auto regret = regret_of(cell, rows[cell], costs[cell])) {
      comparison.regrets.push_back(*regret);
    }
  }
  return comparison;
}

}  // namespace aftershock::reports
