#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

// A recording may come from anywhere: what is missing or of another type reads as nothing.
namespace aftershock::reports {

/// Members are found fast however many there are; in the order of their names.
using JsonValue = nlohmann::json;

/// The value of a JSON text; null for one that is none or is nested deeper than any run writes.
JsonValue parsed(std::string_view text);
/// A member of an object; null if there is none.
const JsonValue& part(const JsonValue& object, const char* key);
/// A member that is an array; for anything else null, which has no elements.
const JsonValue& list_in(const JsonValue& object, const char* key);
/// The text of a member, the bytes as they are; empty for anything else.
std::string text_in(const JsonValue& object, const char* key);
/// The whole number of a member.
std::optional<std::int64_t> integer_in(const JsonValue& object, const char* key);
/// The truth of a member.
bool flag_in(const JsonValue& object, const char* key, bool otherwise);

}  // namespace aftershock::reports
