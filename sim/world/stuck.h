#pragma once

#include <string>

#include "sim/world/world.h"

namespace aftershock::sim {

/// Why a run that is stuck cannot go on: who waits, for what, since when, and who has it.
std::string stuck_reason(const World& world);

/// What the pool of a job had for it when it was to be placed last.
std::string unplaced_words(const World& world, const Job& job);

/// What jobs did that only started again and again, to follow the reason why a run was cut short;
/// empty when there is none.
std::string circling_jobs(const World& world);

}  // namespace aftershock::sim
