#pragma once

#include <string>
#include <vector>

#include "sim/scenario/scenario.h"

namespace aftershock::sim::advise {

/// The defaults of a scenario that may decide which policy or setting survives, a sentence each
/// with the flag that changes it: at present the cluster's look at accelerators before it places
/// work, where faults leave some out of order.
std::vector<std::string> assumed_words(const scenario::Scenario& scenario);

}  // namespace aftershock::sim::advise
