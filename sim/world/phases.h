#pragma once

#include "reports/ledger/ledger.h"
#include "sim/scenario/phase.h"

// The phases of a job, as its account has them.
namespace aftershock::sim {

struct World;
struct Job;

/// Moves a job to a phase, and counts the instances that triggers wait for.
void set_phase(World& world, Job& job, Phase phase, reports::Cause cause);
void enter_instance(World& world, Job& job, Phase phase);
void leave_instance(World& world, Job& job, Phase phase);

}  // namespace aftershock::sim
