#pragma once

#include "sim/scenario/scenario.h"

namespace aftershock::sim::scenario {

/// Whether another seed may make another run of it: a source strikes at random, or a length, a
/// share or a target that the run may need is drawn. Planned work, scripted faults and constants
/// are not random, and neither is a source's script that says the cause of each occurrence.
bool draws_random_numbers(const Scenario& scenario);
/// Whether another seed may strike with other faults: what befalls it, where, when or for how long
/// is drawn. Where only phases, repairs and the like are drawn, all its runs have one history.
bool draws_faults(const Scenario& scenario);

}  // namespace aftershock::sim::scenario
