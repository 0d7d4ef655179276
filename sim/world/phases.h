#pragma once

#include "reports/ledger/ledger.h"
#include "sim/scenario/phase.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// The phases of a job, as its account has them.
namespace aftershock::sim::world {

struct World;

/// Moves a job to a phase, and counts the instances that triggers wait for.
void set_phase(World& world, workload::Job& job, scenario::Phase phase, reports::Cause cause);
void enter_instance(World& world, workload::Job& job, scenario::Phase phase);
void leave_instance(World& world, workload::Job& job, scenario::Phase phase);

}  // namespace aftershock::sim::world
