#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/render/style.h"
#include "reports/results/cell_summary.h"

namespace aftershock::reports {

/// The table of many runs, a line a cell, behind the lines about all of them.
std::string cells_text(const RunReader& reader, const std::vector<CellSummary>& cells,
                       const Style& style);

/// The same lines as a table of GitHub's Markdown.
std::string cells_markdown(const RunReader& reader, const std::vector<CellSummary>& cells);

/// "0.8527 ± 0.0021", "0.9700 (0.9012-1.0000)" where the interval is lopsided or ends where values
/// do, "0.9700 (too few runs)" where there is none; "0.9700" where all runs agree; "-" for nothing.
std::string estimate_text(const std::optional<Estimate>& estimate, const Style& style);
/// A verdict as it is said of several runs, whose jobs may have done well: "with expectations that
/// are not met" of failed ones.
std::string_view verdict_of_runs(Verdict verdict);
/// A probability in percent, "1.2 % (0.4-3.5)".
std::string probability_text(const std::optional<Estimate>& estimate);

}  // namespace aftershock::reports
