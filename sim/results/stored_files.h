#pragma once

#include <vector>

#include "reports/ledger/summary.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

/// The files that runs of a finished world left in storage, a folder a run: the layout of Ray's
/// guide to persistent storage, of Train V2 or, for a job under Train V1, of Tune.
std::vector<reports::StoredFolder> stored_files(const world::World& world);

}  // namespace aftershock::sim::results
