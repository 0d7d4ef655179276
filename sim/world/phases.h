#pragma once

#include "reports/ledger/ledger.h"
#include "sim/scenario/phase.h"

// What a job is doing, as its account has it.
namespace aftershock::sim {

struct World;
struct Job;

/// What a job is doing, and what the run has been found to do wrong.
void set_phase(World& world, Job& job, Phase phase, reports::Cause cause);
void enter_instance(World& world, Job& job, Phase phase);
void leave_instance(World& world, Job& job, Phase phase);

}  // namespace aftershock::sim
