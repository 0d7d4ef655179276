#include "sim/import/figures.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace aftershock::sim::imports {

namespace {

constexpr double kDay = 86'400e6;

/// For how long so many nodes were down at once, within [from, to).
std::map<std::int64_t, std::int64_t> time_by_down(const std::vector<Outage>& outages,
                                                  std::int64_t from_us, std::int64_t to_us) {
  std::vector<std::pair<std::int64_t, int>> changes;
  for (const Outage& outage : outages) {
    changes.emplace_back(std::clamp(outage.down_us, from_us, to_us), 1);
    changes.emplace_back(std::clamp(outage.up_us.value_or(to_us), from_us, to_us), -1);
  }
  std::ranges::sort(changes);
  std::map<std::int64_t, std::int64_t> lengths;
  std::int64_t down = 0;
  std::int64_t since_us = from_us;
  for (const auto& [t_us, change] : changes) {
    lengths[down] += t_us - since_us;
    since_us = t_us;
    down += change;
  }
  lengths[down] += to_us - since_us;
  std::erase_if(lengths, [](const auto& each) { return each.second == 0; });
  return lengths;
}

double mean_of(const std::map<std::int64_t, std::int64_t>& lengths) {
  double weighted = 0;
  double whole = 0;
  for (const auto& [down, us] : lengths) {
    weighted += static_cast<double>(down) * static_cast<double>(us);
    whole += static_cast<double>(us);
  }
  return whole > 0 ? weighted / whole : 0;
}

/// The least number that for this share of the time is not exceeded.
std::int64_t quantile_of(const std::map<std::int64_t, std::int64_t>& lengths, double share) {
  double whole = 0;
  for (const auto& [down, us] : lengths) {
    whole += static_cast<double>(us);
  }
  double so_far = 0;
  for (const auto& [down, us] : lengths) {
    so_far += static_cast<double>(us);
    if (so_far >= share * whole) {
      return down;
    }
  }
  return lengths.empty() ? 0 : lengths.rbegin()->first;
}

void measure_repairs(const Trace& trace, TraceFigures& figures) {
  std::vector<std::int64_t> lengths;
  for (const Outage& outage : trace.outages) {
    if (outage.up_us) {
      lengths.push_back(*outage.up_us - outage.down_us);
    }
  }
  figures.repaired = static_cast<std::int64_t>(lengths.size());
  if (lengths.empty()) {
    return;
  }
  std::ranges::sort(lengths);
  const auto count = static_cast<double>(lengths.size());
  const double sum = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  figures.repair_mean_us = sum / count;
  const std::size_t middle = lengths.size() / 2;
  const std::size_t below = (lengths.size() - 1) / 2;
  figures.repair_median_us = static_cast<double>(lengths[middle] + lengths[below]) / 2;
  figures.longer_than_day =
      static_cast<double>(std::ranges::count_if(
          lengths, [](std::int64_t us) { return static_cast<double>(us) > kDay; })) /
      count;
}

}  // namespace

TraceFigures figures_of(const Trace& trace, std::uint32_t nodes) {
  const std::vector<Outage> whole = merged(trace.outages);
  TraceFigures figures;
  figures.faults = static_cast<std::int64_t>(trace.outages.size());
  figures.outages = static_cast<std::int64_t>(whole.size());
  figures.nodes = nodes;
  figures.nodes_named = static_cast<std::uint32_t>(trace.nodes.size());
  measure_repairs(trace, figures);
  figures.observed_us = trace.until_us.value_or(trace.last_us);
  figures.until_last_us = trace.last_us;
  if (nodes > 0) {
    figures.unavailability =
        mean_of(time_by_down(whole, 0, figures.observed_us)) / static_cast<double>(nodes);
  }
  const auto seen = time_by_down(whole, trace.first_us, trace.last_us);
  figures.down_mean = mean_of(seen);
  figures.down_p99 = quantile_of(seen, 0.99);
  const auto from_zero = time_by_down(whole, 0, trace.last_us);
  figures.up_mean = static_cast<double>(nodes) - mean_of(from_zero);
  figures.up_most =
      from_zero.empty() ? nodes : static_cast<std::int64_t>(nodes) - from_zero.begin()->first;
  return figures;
}

std::uint32_t nodes_nearly_always_up(const Trace& trace, std::uint32_t nodes, double share) {
  const auto lengths =
      time_by_down(merged(trace.outages), 0, trace.until_us.value_or(trace.last_us));
  const std::int64_t down = quantile_of(lengths, 1 - share);
  return static_cast<std::uint32_t>(
      std::max<std::int64_t>(1, static_cast<std::int64_t>(nodes) - down));
}

}  // namespace aftershock::sim::imports
