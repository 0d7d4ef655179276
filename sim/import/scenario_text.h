#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace aftershock::sim::imports {

/// A scenario as a file: indented, but a fault on a line. Invalid UTF-8 is replaced.
std::string scenario_file_text(const nlohmann::ordered_json& scenario);

}  // namespace aftershock::sim::imports
