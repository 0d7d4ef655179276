#include "reports/results/metric_bounds.h"

#include "reports/results/metrics.h"

namespace aftershock::reports {

Bounds bounds_of_column(std::size_t column) {
  if (column >= metrics().size()) {
    return {};
  }
  // All others are times, counts and prices.
  return is_share(metrics()[column].name) ? kShareBounds : Bounds{.low = 0};
}

}  // namespace aftershock::reports
