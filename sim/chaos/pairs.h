#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/matrix/matrix.h"
#include "sim/chaos/explore.h"
#include "sim/chaos/matrix_cell.h"
#include "sim/sweep/dispatch.h"

// Two faults in order: one as a cell of the matrix has it, and one within the recovery from it
// (chaos.md 5.6). Pairs are of phases and of kinds of faults: each fault strikes one
// target, in the middle of its phase.
namespace aftershock::sim::chaos {

/// A pair.
struct FaultPair {
  std::uint32_t first = 0;  ///< of PairPlan::firsts
  MatrixCell second;        ///< its moment is one of the run with the first fault
};

/// The pairs of a scenario's job.
struct PairPlan {
  Setting setting;
  nlohmann::ordered_json bare;
  std::int64_t opened_us = 0;
  std::vector<MatrixCell> firsts;  ///< one a field of the matrix that has cells
  std::vector<FaultPair> pairs;
  sweep::Plan plan;    ///< one cell whose replicas are the pairs
  std::string digest;  ///< of all that decides what a pair's run is
};

/// The outcome of a run of a pair, by number: `kCellStates` names of states, then "P04 undetected,
/// P11 rendezvous" for each pair of phases that a second fault struck.
std::vector<std::string> pair_marks();

/// The pairs of that job, or why it has none, in words. `version`: of the program.
std::variant<std::shared_ptr<const PairPlan>, std::string> make_pairs(
    const scenario::Scenario& scenario, std::uint32_t job, const std::string& path,
    const std::string& version);

/// "training/F03,rendezvous/F01".
std::string pair_id(const PairPlan& plan, const FaultPair& pair);

/// All pairs, by the phases of their two faults, as the store has them: pairs that were not run yet
/// are unknown, and a second fault that found nothing left to break counts as no trouble.
reports::MatrixReport pairs_report(const PairPlan& plan, ExploreStore& store);

/// The scenario of one pair: what opens the first phase, and the two faults, which must both fire.
nlohmann::ordered_json pair_scenario(const PairPlan& plan, std::uint64_t number);

/// Runs the pairs that the store does not have. Each run is in the store as soon as it is over.
ExploreResult run_pairs(const PairPlan& plan, ExploreStore& store, sweep::WorkerPool& pool,
                        std::function<bool(std::int64_t runs)> go_on);

}  // namespace aftershock::sim::chaos
