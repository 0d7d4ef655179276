#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/results/cell_summary.h"
#include "reports/results/run_row.h"
#include "reports/results/run_store.h"
#include "reports/statistics/paired.h"

// What a page tells of many runs beside their summaries. Two passes over the rows: the second holds
// the values of two cells at a time, the first one's and the one that goes by.
namespace aftershock::reports {

/// At most so many cells are drawn and held against the first; tables of cells have all.
inline constexpr std::size_t kCellsShown = 24;
/// So many runs are in the table of the worst.
inline constexpr std::size_t kWorstRuns = 20;

/// How the values of a metric lie in one cell: its quantiles at 0, 1, ... 100 percent; empty for no
/// values.
struct Distribution {
  std::int64_t count = 0;
  double mean = 0;
  std::vector<double> percentiles;
};

/// The differences of a cell's runs from the runs with the same seeds in the first cell.
struct CellAgainstFirst {
  std::size_t cell = 0;    ///< among SweepData::cells
  std::size_t column = 0;  ///< among SweepData::columns
  PairedDifference paired;
};

/// All that a page tells.
struct SweepData {
  std::vector<std::string> columns;  ///< metrics, then pointers
  std::vector<CellSummary> cells;
  std::vector<std::vector<Distribution>> distributions;  ///< by column, then cell shown
  std::vector<CellAgainstFirst> differences;             ///< by column, then cell
  std::vector<std::string> undifferent;  ///< columns that are the same in every pair
  std::vector<RunRow> worst;             ///< those that went most wrong first
  std::string problem;                   ///< why there is nothing; else empty
};

/// Reads a whole file of results.
SweepData read_sweep(RunReader& reader);

}  // namespace aftershock::reports
