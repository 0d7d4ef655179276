#pragma once

#include <limits>
#include <optional>

#include "reports/statistics/estimate.h"

namespace aftershock::reports {

/// The possible values of a quantity: a share is from 0 to 1, a time is not below 0.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool operator==(const Bounds&) const = default;
};

/// The estimate, its interval without what cannot be. It covers the true value as often as before,
/// for that is never in what was cut off; and intervals of Student's and Fieller's, which know
/// nothing of bounds, stay as they are wherever they do not meet them. One that says nothing,
/// because both its ends lie beyond the bounds, is none: there were too few runs.
std::optional<Estimate> within(std::optional<Estimate> estimate, const Bounds& bounds);

}  // namespace aftershock::reports
