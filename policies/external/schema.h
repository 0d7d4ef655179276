#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace aftershock::policies::wire {

/// JSON Schema (draft 2020-12) of every message that the two sides say to each other, made from the
/// fields() that they are written and read by. "#/$defs/simulator" is what a policy hears,
/// "#/$defs/policy" what it may answer. A schema cannot see rules that depend on earlier messages,
/// e.g. which rules there are.
nlohmann::ordered_json messages_schema();

/// The schema as the text of policies/external/messages.schema.json.
std::string messages_schema_text();

}  // namespace aftershock::policies::wire
