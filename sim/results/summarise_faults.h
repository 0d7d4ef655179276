#pragma once

#include "reports/ledger/summary.h"

namespace aftershock::sim::world {
struct World;
}  // namespace aftershock::sim::world

namespace aftershock::sim::results {

/// Counts the faults of a run that is over, by kind, and tells of the scripted ones that never
/// came: the run ended first, or what they wait for did not happen.
void summarise_faults(const world::World& world, reports::RunSummary& summary);

}  // namespace aftershock::sim::results
