#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "reports/matrix/matrix.h"
#include "sim/chaos/matrix_cell.h"
#include "sim/sweep/dispatch.h"

// Every moment of a recovery, struck once more (chaos.md 5.6).
namespace aftershock::sim::chaos {

/// The grid of a scenario's job, and the runs that it asks for.
struct MatrixPlan {
  Setting setting;
  nlohmann::ordered_json bare;  ///< the scenario, without faults of its own
  std::int64_t opened_us = 0;   ///< when the first fault strikes
  std::vector<MatrixCell> cells;
  std::vector<std::uint32_t> runs;  ///< by the plan's cells: which of `cells` it is
  sweep::Plan plan;
};

/// The grid of that job, or why it has none, in words.
std::variant<MatrixPlan, std::string> make_matrix(const scenario::Scenario& scenario,
                                                  std::uint32_t job, const std::string& path);

/// The outcome of the runs.
struct MatrixRuns {
  std::vector<reports::RunRow> rows;  ///< by the plan's cells; without values: it died
  std::vector<std::string> troubles;
  sweep::Ended ended = sweep::Ended::kDone;
  std::string why;
};
/// Makes them all.
MatrixRuns run_matrix(const MatrixPlan& matrix, sweep::WorkerPool& pool,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress);

/// Names of a cell as `--cell` takes it: "tearing_down/F03/other/entry".
std::string id_of(const MatrixCell& cell);

/// The grid as it is shown. `rows` by the plan's cells; `path` and `options` as in MatrixReport.
reports::MatrixReport matrix_report(const MatrixPlan& matrix,
                                    const std::vector<reports::RunRow>& rows);

}  // namespace aftershock::sim::chaos
