#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/sweep/vary.h"

namespace aftershock::sim::sweep {

/// Without the quotes of a text.
std::string_view unquoted(std::string_view value);

/// The number that a varied value stands for: itself, microseconds, a share, bytes; of one in
/// quotes what is between them. None for anything else.
std::optional<double> amount_of(std::string_view text);

/// The points for which an expression holds that speaks of the names that are varied: "/a <= 8 and
/// /b > 10min". An error in words where it is wrong, or no point is left.
std::variant<std::vector<Point>, std::string> points_where(const std::vector<Point>& points,
                                                           const std::string& condition);

}  // namespace aftershock::sim::sweep
