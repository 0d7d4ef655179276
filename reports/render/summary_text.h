#pragma once

#include <optional>
#include <string>

#include "reports/ledger/summary.h"
#include "reports/render/style.h"

namespace aftershock::reports {

/// How to show a summary.
struct SummaryTextOptions {
  Style style;
  std::optional<double> host_s;  ///< how long the run took; the only host time that is ever shown
  std::string real{};            ///< "torchrun (torch 2.15.0)"; empty: the run is simulated
};

/// The first facts that an engineer wants of a run: outcomes, where the time went, what was lost,
/// which faults cost most, what the retry budgets have left, and of what a failed job died.
std::string summary_text(const RunSummary& summary, const SummaryTextOptions& options);

}  // namespace aftershock::reports
