#pragma once

#include <optional>

#include "reports/results/comparison.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::sweep {

/// Costs of starts of the scenario's jobs on average, the download of a checkpoint apart: the sums
/// of launching (a first one with the script's set-up), rendezvous, restoring (of a restart) and
/// warming up. A first start counts for every job, a restart is that of the job with the fastest.
/// None for a scenario with experiments, whose trials start on their own.
std::optional<reports::StartCosts> start_costs(const scenario::Scenario& scenario);

/// Ids of faults that come with a phase, a step or on a clock that only runs while a job trains:
/// not at the same times for two policies (design.md 3).
std::vector<std::string> moving_faults(const scenario::Scenario& scenario);

}  // namespace aftershock::sim::sweep
