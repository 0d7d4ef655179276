#pragma once

#include <string>

#include "reports/render/style.h"
#include "reports/results/comparison.h"

namespace aftershock::reports {

/// How the first cell compares with each other one: a verdict in words, and a table of metrics with
/// paired intervals; then every cell against hindsight. Metrics that are the same in all runs are
/// named and have no row, but for those that were asked for as pointers.
std::string comparison_text(const Comparison& comparison, const Style& style);

/// The same verdicts, each with its table in GitHub's Markdown.
std::string comparison_markdown(const Comparison& comparison);

/// "B: useful_share higher by 0.0210 (0.0170 to 0.0250) than A, better in 28 of 30 runs"; where
/// runs ended at different places the outcome comes first, and no ratio over their own length is
/// called better or worse.
std::string verdict_line(const Comparison& comparison, const CellDifference& difference,
                         const Style& style);

}  // namespace aftershock::reports
