#pragma once

#include "reports/ledger/ledger.h"
#include "sim/scenario/phase.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// The phases of a job, as its account has them.
namespace aftershock::sim::world {

struct World;

/// The job is in the phase from now on: its time counts there, under the cause, and clocks of
/// sources go or stand with its training. With phase and cause unchanged the instance goes on.
void set_phase(World& world, workload::Job& job, scenario::Phase phase, reports::Cause cause);

/// Another instance of the phase begins, the job's main one or one beside it (uploading, draining):
/// faults that wait for that nth instance are planned by their offset.
void enter_instance(World& world, workload::Job& job, scenario::Phase phase);

/// The newest instance of the phase ends: triggers that wait for it note its length, by which a
/// later run knows an offset that is a share of it.
void leave_instance(World& world, workload::Job& job, scenario::Phase phase);

}  // namespace aftershock::sim::world
