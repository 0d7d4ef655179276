#pragma once

#include <vector>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {

/// The list of what a source sent in a run. Of the fault, its target and causes are read.
std::vector<Occurrence> read_occurrences(const LocatedValue& list, const Scenario& scenario,
                                         const FaultSpec& fault, ErrorList& errors);

}  // namespace aftershock::sim::scenario
