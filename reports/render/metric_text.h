#pragma once

#include <string>
#include <string_view>

#include "reports/render/style.h"
#include "reports/results/comparison.h"

// Values of metrics, and what two cells differ by in one, as tables show them.
namespace aftershock::reports {

/// Decimals that a metric's values have, and more where a difference would round to zero: two
/// digits of it are seen, unless it is but rounding in sums of binary fractions.
int decimals_of(std::string_view metric, double difference = 0);

/// A metric's value in its unit: "00:52:29", "0.8527", "3.1"; times have no decimals.
std::string metric_value(std::string_view metric, double value, int decimals);
std::string metric_value(std::string_view metric, double value);

/// "-0.0064 ± 0.0009": a paired interval has its mean in the middle.
std::string difference_text(const MetricDifference& metric, const Style& style);

/// `metric_title`, but money has its currency below the table, where a title is short of room.
std::string short_title(std::string_view metric);

}  // namespace aftershock::reports
