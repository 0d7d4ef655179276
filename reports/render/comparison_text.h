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

}  // namespace aftershock::reports
