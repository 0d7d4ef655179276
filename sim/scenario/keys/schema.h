#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace aftershock::sim::scenario {

/// JSON Schema (draft 2020-12) of scenario files, made from the descriptions that they are checked
/// against. It accepts every scenario that is accepted; what needs more than the form of one value
/// to judge it cannot see.
nlohmann::ordered_json scenario_schema();

/// The schema as the text of scenarios/aftershock.schema.json.
std::string scenario_schema_text();

}  // namespace aftershock::sim::scenario
