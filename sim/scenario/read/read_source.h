#pragma once

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {

/// Reads the random process of a fault whose target and effects are read.
void read_source(const LocatedValue& value, const Scenario& scenario, FaultSpec& fault,
                 ErrorList& errors);

}  // namespace aftershock::sim::scenario
