#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// The sample from its least to its greatest, so that what is computed of it cannot depend on how
/// the runs came in; none for an empty sample or one with values that are not finite.
inline std::optional<std::vector<double>> ordered(std::span<const double> values) {
  if (values.empty() || !std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) {
    return std::nullopt;
  }
  std::vector<double> sorted(values.begin(), values.end());
  // Adding 0 makes 0 of -0, which no order would tell apart.
  for (double& value : sorted) value += 0.0;
  std::ranges::sort(sorted);
  return sorted;
}

/// The same of pairs, by their first and then their second number.
inline std::optional<std::vector<Pair>> ordered(std::span<const Pair> pairs) {
  const auto finite = [](const Pair& pair) {
    return std::isfinite(pair.first) && std::isfinite(pair.second);
  };
  if (pairs.empty() || !std::ranges::all_of(pairs, finite)) return std::nullopt;
  std::vector<Pair> sorted;
  sorted.reserve(pairs.size());
  for (const Pair& pair : pairs) sorted.push_back({pair.first + 0.0, pair.second + 0.0});
  std::ranges::sort(sorted, [](const Pair& a, const Pair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
  return sorted;
}

}  // namespace aftershock::reports
