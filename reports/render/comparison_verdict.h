#pragma once

#include <cstdint>
#include <string>

#include "reports/render/style.h"
#include "reports/results/comparison.h"

namespace aftershock::reports {

/// The label of a cell, for people.
std::string label_text(const Comparison& comparison, std::uint32_t cell, const Style& style);

/// Whether the interval of a difference does not include zero.
bool is_told_apart(const Estimate& mean);

/// Whether a value of one run is better than that of another, wherever both ended.
bool is_judged(const CellDifference& difference, const MetricDifference& metric);

/// Equal event by event, and in the cost of nodes, which events do not show.
bool is_the_same(const CellDifference& difference);

/// "B: useful_share higher by 0.0210 (0.0170 to 0.0250) than A, better in 28 of 30 runs"; where
/// runs ended at different places the outcome comes first, and no ratio over their own length is
/// called better or worse.
std::string verdict_line(const Comparison& comparison, const CellDifference& difference,
                         const Style& style);

}  // namespace aftershock::reports
