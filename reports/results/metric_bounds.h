#pragma once

#include <cstddef>

#include "reports/statistics/bounds.h"

namespace aftershock::reports {

/// The bounds of the values of a column of results, and so of their mean: of one of metrics(), or
/// none known of a pointer behind the last of them.
Bounds bounds_of_column(std::size_t column);

/// From 0 to 1, as ETTR is.
inline constexpr Bounds kShareBounds{0, 1};

}  // namespace aftershock::reports
