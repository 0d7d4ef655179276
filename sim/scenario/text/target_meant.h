#pragma once

#include <string>
#include <string_view>

#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {

/// "node:gpu-3" for "gpu-3", a target without its kind, where the scenario `root` has something of
/// that name; empty where it has nothing. The scenario may be wrong in any other place.
std::string target_meant(const LocatedValue& root, std::string_view name);

}  // namespace aftershock::sim::scenario
