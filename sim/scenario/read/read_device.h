#pragma once

#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/fields.h"

// What a fault says of a device, as the catalogue's entries of the kinds describe it.
namespace aftershock::sim {

/// Code, severity, healing and need of an accelerator fault.
void read_device(const Fields& fields, const PoolSpec& pool, FaultEffect& effect,
                 ErrorList& errors);

/// Errors of a corrected-ECC storm, and what comes of it.
void read_storm(const Fields& fields, const PoolSpec& pool, FaultEffect& effect, ErrorList& errors);

}  // namespace aftershock::sim
