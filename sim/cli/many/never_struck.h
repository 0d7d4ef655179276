#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/results/cell_summary.h"
#include "reports/results/comparison.h"
#include "reports/results/run_store.h"

// Scripted faults that did not come in some of many runs, which then answer another question.
namespace aftershock::sim::cli {

/// How many of many runs had such a fault, and the first of them. A run that failed or is stuck is
/// not counted: that says by itself why what was to come did not.
struct NeverStruckRuns {
  std::int64_t runs = 0;
  std::int64_t of = 0;
  std::optional<reports::RunRow> first;

  /// Counts one more run.
  void add(const reports::RunRow& row);
};

/// A line on standard error where there is any. `command` makes the first again; none: none does.
void tell_never_struck(const NeverStruckRuns& runs, const std::string& of,
                       const std::optional<std::string>& command);

/// The same of a comparison's rows.
void tell_never_struck(const reports::StoreHeader& header, const reports::CellRows& cells);

/// The same of a file, whose rows are read only where its summaries have such runs.
void tell_never_struck(reports::RunReader& reader, const std::vector<reports::CellSummary>& cells);

}  // namespace aftershock::sim::cli
