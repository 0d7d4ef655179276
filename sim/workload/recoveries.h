#pragma once

#include <cstdint>

#include "sim/workload/job.h"

namespace aftershock::sim::workload {

/// Opens the recovery of what `fault` breaks off now. Costs put down to the fault before belong
/// to the recovery before.
Recovery& open_recovery(Job& job, std::uint32_t fault, std::int64_t now_us);

/// The newest recovery of the fault, null when it has none.
Recovery* find_recovery(Job& job, std::uint32_t fault);

/// Adds what the last attempt has lost to the job's account, and to the newest recovery of the
/// fault that pays for it.
void add_lost(Job& job, std::int64_t lost_us);

/// Work goes on: what was broken off before is running again.
void note_running(Job& job, std::int64_t now_us);

/// Notes which stories are caught up with when the open segment's work ends at `work_us`.
void note_caught_up(Job& job, std::int64_t work_us, Pace pace);

/// Wall time put down to each recovery's fault from its opening to the next recovery of that fault,
/// in their order; a fault's first recovery also has what came before it. The ledger must be
/// closed.
std::vector<std::int64_t> story_costs_us(const Job& job);

}  // namespace aftershock::sim::workload
