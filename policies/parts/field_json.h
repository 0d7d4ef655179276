#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "policies/api/json.h"
#include "policies/api/json_as_text.h"
#include "policies/api/json_reader.h"

// A policy's memory as JSON, by the fields() of its structs: how a policy that keeps all of its
// memory stores it, and takes it up again.
namespace aftershock::policies {

/// A value, or a struct of such, as a persist stores it.
template <class Value>
nlohmann::json field_json(const Value& value) {
  if constexpr (std::is_same_v<Value, RankSet>) {
    return json_from_text(to_line(value));
  } else if constexpr (json_reader::IsOptional<Value>::value) {
    return value ? field_json(*value) : nlohmann::json();
  } else if constexpr (json_reader::IsVector<Value>::value) {
    auto list = nlohmann::json::array();
    for (const auto& element : value) {
      list.push_back(field_json(element));
    }
    return list;
  } else if constexpr (HasFields<Value>) {
    auto object = nlohmann::json::object();
    Value::fields([&](const auto&... named) {
      ((object[std::string(named.name)] = field_json(value.*named.member)), ...);
    });
    return object;
  } else {
    return value;
  }
}

/// None where the text is not what field_json() gave.
template <class Value>
std::optional<Value> from_field_text(std::string_view text) {
  if (text.empty()) {
    return std::nullopt;
  }
  auto whole = parse_json(text);
  if (const auto* parsed = std::get_if<nlohmann::json>(&whole)) {
    auto read = json_reader::read_whole<Value>(*parsed);
    if (auto* value = std::get_if<Value>(&read)) {
      return std::move(*value);
    }
  }
  return std::nullopt;
}

}  // namespace aftershock::policies
