#pragma once

#include <string>
#include <vector>

#include "reports/ledger/summary.h"
#include "sim/results/useful_work.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

/// The result of a finished run, with its expectations and requirements judged. Without `words`
/// recoveries and charges may lack what they are called, which is most of the work of a summary.
reports::RunSummary summarise(world::World& world, const FaultFreeRun& fault_free,
                              const std::vector<std::string>& warnings, bool words);

}  // namespace aftershock::sim::results
