#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/results/run_store.h"
#include "reports/statistics/sample.h"
#include "reports/statistics/survival.h"

namespace aftershock::reports {

/// The summary of the runs of one cell together.
struct CellSummary {
  std::uint32_t cell = 0;
  std::int64_t runs = 0;
  std::array<std::int64_t, 9> verdicts{};  ///< by Verdict
  std::vector<SampleSummary> columns;      ///< of metrics(), then the header's pointers
  std::optional<Estimate> useful_share;
  std::optional<Estimate> ettr;  ///< ratio of means
  /// All cost by all useful accelerator-hours of the runs together: a mean of the runs' own ratios
  /// is that of the few that got least done. None without prices, or without useful work.
  std::optional<Estimate> cost_per_useful_hour;
  std::optional<Estimate> completed;  ///< probabilities
  std::optional<Estimate> alive;
  std::optional<Estimate> stuck;
  std::optional<Estimate> failed;
  std::optional<Estimate> exhausted;
  std::optional<SurvivalCurve> exhaustion;  ///< time until a retry budget ends a job
};

/// All cells that have runs, in order; an error in words where the file breaks off.
std::variant<std::vector<CellSummary>, std::string> summarise_cells(RunReader& reader,
                                                                    double level = kUsualLevel);

/// The same of a store that is being written.
std::variant<std::vector<CellSummary>, std::string> summarise_cells(RunStore& store,
                                                                    double level = kUsualLevel);

/// The worst verdict of the runs, in the order of design.md 5: 6 5 2 4 3 1 7 8 0.
Verdict worst_verdict(const std::vector<CellSummary>& cells);

/// Whether two runs of a cell differ in any value; also true where no cell has two runs.
bool runs_differ(const std::vector<CellSummary>& cells);

/// `sweep --json`: everything of the summaries, with `schema`, scenario, and whether it is whole.
nlohmann::ordered_json to_json(const RunReader& reader, const std::vector<CellSummary>& cells);

}  // namespace aftershock::reports
