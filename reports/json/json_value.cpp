#include "reports/json/json_value.h"

#include <limits>

#include "reports/json/json_as_text.h"

namespace aftershock::reports {

namespace {

constexpr int kDepthMax = 64;

/// Whether brackets outside texts nest no deeper than they may: what is told of a value, and its
/// copies, go down to the bottom.
bool is_shallow(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      i += c == '\\' ? 1 : 0;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDepthMax) {
        return false;
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

}  // namespace

JsonValue parsed(std::string_view text) {
  if (!is_shallow(text)) {
    return {};
  }
  JsonValue value = json_or_discarded<JsonValue>(text);
  return value.is_discarded() ? JsonValue() : value;
}

namespace {

const JsonValue& nothing() {
  static const JsonValue kNothing;
  return kNothing;
}

}  // namespace

const JsonValue& list_in(const JsonValue& object, const char* key) {
  const JsonValue& value = part(object, key);
  return value.is_array() ? value : nothing();
}

const JsonValue& part(const JsonValue& object, const char* key) {
  if (!object.is_object()) {
    return nothing();
  }
  const auto place = object.find(key);
  return place == object.end() ? nothing() : *place;
}

std::string text_in(const JsonValue& object, const char* key) {
  const JsonValue& value = part(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<std::int64_t> integer_in(const JsonValue& object, const char* key) {
  const JsonValue& value = part(object, key);
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return number <= kMax ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
  }
  return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

bool flag_in(const JsonValue& object, const char* key, bool otherwise) {
  const JsonValue& value = part(object, key);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

}  // namespace aftershock::reports
