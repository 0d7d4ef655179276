#pragma once

#include "reports/ledger/summary.h"

namespace aftershock::sim {

struct World;

/// Counts the faults of a run that is over, by kind, and tells of the scripted ones that never
/// came: the run ended first, or what they wait for did not happen.
void summarise_faults(const World& world, reports::RunSummary& summary);

}  // namespace aftershock::sim
