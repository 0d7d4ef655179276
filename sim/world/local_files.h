#pragma once

#include <cstdint>

#include "sim/scenario/scenario.h"
#include "sim/workload/job.h"

namespace aftershock::sim::world {

/// Whether what its workers write stays on the disk of the machine they run on (ray.md 1.8).
bool keeps_files_locally(const scenario::Scenario& scenario, const workload::Job& job);

/// The fault has taken that machine from the job, and its checkpoints with it. Those that it knows
/// of are still handed to the next attempt, which does not find them.
void lose_local_files(workload::Job& job, std::uint32_t fault);

}  // namespace aftershock::sim::world
