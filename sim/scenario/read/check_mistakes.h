#pragma once

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error_list.h"

namespace aftershock::sim::scenario {

/// Warns of what is allowed and yet hardly meant: checkpoints that are never due, or due before the
/// one before them is done, phases that outlast the run, settings of a pool that say nothing beside
/// others or by themselves, settings of the cluster and of faults that no job's policy looks at,
/// faults that no trial of a run without jobs feels, and environment variables that nothing reads.
/// A variable that an argument of the command line names and nothing reads is an error. `root` is
/// what the scenario was read from, without errors. `replaced`: its policies are others than those
/// that its variables were written for.
void check_mistakes(const LocatedValue& root, const Scenario& scenario, bool replaced,
                    ErrorList& errors);

}  // namespace aftershock::sim::scenario
