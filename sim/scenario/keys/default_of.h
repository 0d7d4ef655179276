#pragma once

#include <string_view>

namespace aftershock::sim::scenario {

/// The default of a scenario's key by its JSON Pointer, as JSON ("0", "\"5s\""); empty where the
/// key is unknown, or its absence is a case of its own. Keys that depend on another one's value, as
/// a fault's on its kind, have none.
std::string_view default_of(std::string_view pointer);

}  // namespace aftershock::sim::scenario
