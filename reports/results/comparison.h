#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/results/run_store.h"
#include "reports/statistics/paired.h"

// Cells of one sweep held against each other, run by run: runs of one replica number have the same
// seed, and so met the same faults.
namespace aftershock::reports {

/// Costs that runs with perfect hindsight would have had, at least: see `hindsight_useful`.
struct StartCosts {
  std::int64_t first_us = 0;    ///< of all jobs together, each once
  std::int64_t restart_us = 0;  ///< of the job that restarts fastest
  /// From submission to `until`, of all jobs together; 0: the scenario has no `until`.
  std::int64_t horizon_us = 0;
};

/// The useful share that hindsight would have had on the faults that a run met: they are detected
/// at once, a checkpoint is there from just before, nodes are replaced in no time, nothing is
/// retried in vain. The rest are its first start and a restart a fault that held it up, as
/// `costs` has them, but never more than the run's own starts took (its buckets launching,
/// rendezvous, restoring, warming_up and finalizing), with U for that and P for productive time
///   completed                  P / (P + U)
///   any other, by a horizon    1 - U / horizon: it would still be at work there
///   any other, without one     1: it would have completed
/// so that a run's own share is never above it. None for a run whose worker died, or without wall
/// time.
std::optional<double> hindsight_useful(const RunRow& run, const StartCosts& costs);

/// A cell against hindsight; means over its runs.
struct Regret {
  std::uint32_t cell = 0;
  std::int64_t runs = 0;
  Estimate bound;
  Estimate regret;  ///< bound minus useful share
};

/// How two cells differ in one metric: the second minus the first.
struct MetricDifference {
  std::string name;  ///< a metric's, or a pointer
  Better better = Better::kNeither;
  double first = 0;  ///< means over the pairs
  double second = 0;
  PairedDifference difference;
  std::int64_t better_runs = 0;  ///< of the second; both 0 where neither is better
  std::int64_t worse_runs = 0;
  /// How many times narrower the paired interval is than the unpaired; none without both, or where
  /// all pairs differ by the same.
  std::optional<double> narrower;
};

/// Two cells.
struct CellDifference {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::int64_t pairs = 0;      ///< runs that both have
  std::int64_t identical = 0;  ///< of those, whose hash is the same
  /// Pairs that ended at different places: one of two runs lives and the other does not, or neither
  /// does and they lasted differently.
  std::int64_t ended_apart = 0;
  std::vector<MetricDifference> metrics;  ///< of those with values, in the order of the columns
  std::optional<std::size_t> goal;        ///< among `metrics`
  /// Replicas in which the goal differs the other way than in the mean, the most so first.
  std::vector<std::uint32_t> flips;
  std::optional<std::uint32_t> widest;  ///< replica in which it differs most; none: in none
};

/// How runs of a cell end that do not complete and do not go on: "exhausted(max_failures)" in so
/// many.
struct Ending {
  std::uint32_t cell = 0;
  std::string how;
  std::int64_t runs = 0;
};

/// By what runs of one cell differ.
enum class History : std::uint8_t {
  kMany,         ///< each run has faults of its own
  kOneOfFaults,  ///< the faults are the same in each, and other times are drawn
  kOne,          ///< nothing is drawn: they are the same run
};

/// A comparison of the first cell with each other one.
struct Comparison {
  StoreHeader header;
  std::string goal;  ///< which metric decides about flips
  std::vector<CellDifference> differences;
  /// Ids of faults that come when a run has come somewhere, and so at other times in each cell.
  std::vector<std::string> moving_faults;
  std::vector<Regret> regrets;  ///< empty: hindsight says nothing of this scenario
  /// With which settings the policy of each cell runs, in words; empty where policies are the same.
  std::vector<std::string> settings{};
  std::vector<Ending> endings{};  ///< by cell, the most frequent first
  History history = History::kMany;
};

/// By cell, then by replica; a replica that a cell lacks is left out of its pairs.
using CellRows = std::vector<std::vector<RunRow>>;

/// `costs`: by cell, or empty. `goal` is one of the columns' names.
Comparison compare_cells(const StoreHeader& header, const CellRows& rows, const std::string& goal,
                         const std::vector<StartCosts>& costs);

/// `compare --json`.
nlohmann::ordered_json to_json(const Comparison& comparison);

/// One row a metric of each cell that the first is compared with: {first_cell, second_cell, metric,
/// better, first, second, pairs, difference, ...}, values in the unit that the metric's name ends
/// with.
nlohmann::ordered_json comparison_rows(const Comparison& comparison);

}  // namespace aftershock::reports
