#pragma once

#include "sim/scenario/error_list.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim {

/// Warns of what is allowed and yet hardly meant: checkpoints that are never due, or due before the
/// one before them is done, phases that outlast the run, settings of a pool that say nothing beside
/// others, and environment variables that nothing reads. `root` is what the scenario was read from,
/// without errors.
void check_mistakes(const LocatedValue& root, const Scenario& scenario, ErrorList& errors);

}  // namespace aftershock::sim
