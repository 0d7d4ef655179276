#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/results/cell_summary.h"
#include "reports/results/run_row.h"
#include "reports/results/run_store.h"
#include "reports/statistics/paired.h"

// The data of a page of many runs beside their summaries. Two passes over the rows: the second
// holds the values of two cells at a time, the first one's and the one that goes by.
namespace aftershock::reports {

/// At most so many cells are drawn and held against the first; tables of cells have all.
inline constexpr std::size_t kCellsShown = 24;
/// So many runs are in the table of the worst.
inline constexpr std::size_t kWorstRuns = 20;

/// The quantiles that pages show, in percent; the first and the last are the least and the
/// greatest.
inline constexpr std::array<int, 7> kPercentsShown{0, 5, 25, 50, 75, 95, 100};

/// The share of runs whose value is no greater.
struct ShareUpTo {
  double value = 0;
  double share = 0;

  bool operator==(const ShareUpTo&) const = default;
};

/// How the values of a metric lie in one cell; empty for no values.
struct Distribution {
  std::int64_t count = 0;
  double mean = 0;
  /// At kPercentsShown, with distribution-free 95 % intervals where so many runs have one; the
  /// least and the greatest have none.
  std::vector<Estimate> quantiles;
  /// The empirical distribution function: its steps, all of them or some hundred.
  std::vector<ShareUpTo> shares;
  double band = 1;  ///< half the height of the 95 % band around it (distribution_band)
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
