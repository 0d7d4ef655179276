#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/ledger/summary.h"
#include "sim/world/world.h"

// The work of a run that is over which is still there: the measure by which runs are compared that
// ended at different places.
namespace aftershock::sim::results {

/// The time that jobs and experiments take where nothing breaks, in the order of the scenario.
struct FaultFreeRun {
  /// From submission to completion; none for one that does not complete without faults, either.
  std::vector<std::optional<std::int64_t>> jobs_us;
  std::vector<std::int64_t> experiments_us;  ///< of all trials, as their ledger has it
};

/// A job or experiment that has not trained for so long at the end of a run is stuck, whatever may
/// still come: its users would long have taken it for dead.
inline constexpr std::int64_t kIdleForGood_us = std::int64_t{24} * 3600 * 1'000'000;
/// The least of that for a job whose attempt stands still: then half of the job's life is enough.
inline constexpr std::int64_t kStandsStill_us = std::int64_t{3600} * 1'000'000;

/// The waits of the jobs and experiments that have not trained for so long, and for how long;
/// empty: there are none.
std::string idle_reason(const world::World& world);

/// Where a job stands, for a run that is over.
reports::EndState state_at_end(const world::World& world, const workload::Job& job);
reports::EndState state_at_end(const world::World& world, const workload::Experiment& experiment);

/// Whether the run has to be held against the same without faults: something did not complete, and
/// no `until` says how long it had; or an experiment failed or is stuck.
bool needs_fault_free_run(const world::World& world);

/// `fault_free`: empty where it is not needed. The ledger must be closed.
reports::UsefulWork useful_work(const world::World& world, const workload::Job& job,
                                const FaultFreeRun& fault_free);
reports::UsefulWork useful_work(const world::World& world, const workload::Experiment& experiment,
                                const FaultFreeRun& fault_free);

}  // namespace aftershock::sim::results
