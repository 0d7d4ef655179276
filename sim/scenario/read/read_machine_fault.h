#pragma once

#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/fields.h"

// What a fault says of machines that are bad in other ways than by ending, as the catalogue's
// entries of the kinds describe it.
namespace aftershock::sim {

/// Stragglers, outages, bad replacements, denials, lemons and false alarms.
void read_machine_fault(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                        ErrorList& errors);

/// The node that an accelerator fault's report names in place of its own.
void read_blamed_node(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                      ErrorList& errors);

}  // namespace aftershock::sim
