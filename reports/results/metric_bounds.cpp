#include "reports/results/metric_bounds.h"

#include <algorithm>
#include <array>

#include "reports/results/metrics.h"

namespace aftershock::reports {

Bounds bounds_of_column(std::size_t column) {
  constexpr std::array<std::string_view, 4> kShares{"ettr", "completed", "failed", "exhausted"};
  if (column >= metrics().size()) {
    return {};
  }
  // All others are times, counts and prices.
  const bool share = std::ranges::find(kShares, metrics()[column].name) != kShares.end();
  return share ? kShareBounds : Bounds{.low = 0};
}

}  // namespace aftershock::reports
