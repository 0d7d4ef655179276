#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace aftershock::policies::wire {

/// JSON Schema (draft 2020-12) of every message that the two sides say to each other, made from the
/// fields() that they are written and read by. "#/$defs/simulator" is what a policy hears,
/// "#/$defs/policy" what it may answer. What depends on what was said before, e.g. which rules
/// there are, a schema cannot see.
nlohmann::ordered_json messages_schema();

/// The schema as the text of policies/external/messages.schema.json.
std::string messages_schema_text();

}  // namespace aftershock::policies::wire
