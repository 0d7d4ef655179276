#pragma once

// How json_read*.cpp turn JSON into structs: by their fields(), with the place of what is wrong.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "policies/api/fields.h"
#include "policies/api/issue.h"
#include "policies/api/json.h"
#include "policies/api/rank_set.h"

namespace aftershock::policies::json_reader {

/// Where the reader is: a chain on the stack, turned into text only when something is wrong.
struct Place {
  const Place* parent = nullptr;
  std::string_view key;
  std::size_t index = 0;
  bool is_index = false;

  /// The member, or the element, of what is here.
  [[nodiscard]] Place at(std::string_view name) const { return {this, name, 0, false}; }
  [[nodiscard]] Place at(std::size_t position) const { return {this, {}, position, true}; }

  /// As a JSON Pointer (RFC 6901), from where reading began.
  [[nodiscard]] std::string pointer() const;
};

/// The error, if there is one.
using Problem = std::optional<Issue>;

/// "got VALUE, expected ...".
Problem wrong(const Place& place, const nlohmann::json& value, std::string expected);

/// A word that is not one of `known`.
Problem unknown(const Place& place, std::string_view kind, std::string_view word,
                std::span<const std::string_view> known);

/// Reads [0,[3,9]]: single ranks and inclusive pairs.
Problem read_ranks(const Place& place, const nlohmann::json& value, RankSet& out);

/// Whether a type is made from this template, so that read_value can tell.
template <class Value>
struct IsVector : std::false_type {};
template <class Element>
struct IsVector<std::vector<Element>> : std::true_type {};
/// Whether a type is made from this template, so that read_value can tell.
template <class Value>
struct IsOptional : std::false_type {};
template <class Element>
struct IsOptional<std::optional<Element>> : std::true_type {};
/// Whether a type is std::variant, or derives from one as Event does.
template <class Value>
concept HasAlternatives = requires { typename Value::variant; };
/// The same as a type, as the two above are.
template <class Value>
struct IsVariant : std::bool_constant<HasAlternatives<Value>> {};

/// Only exit codes are of a type that may be negative: times are int64 and never are.
template <class Integer>
Problem read_integer(const Place& place, const nlohmann::json& value, Integer& out) {
  constexpr auto kMax = std::numeric_limits<Integer>::max();
  constexpr bool kNegativeToo = std::is_same_v<Integer, std::int32_t>;
  constexpr std::int64_t kMin = kNegativeToo ? std::numeric_limits<std::int32_t>::min() : 0;
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number <= static_cast<std::uint64_t>(kMax)) {
      out = static_cast<Integer>(number);
      return {};
    }
  } else if (value.is_number_integer()) {
    const auto number = value.get<std::int64_t>();
    if (number >= kMin && number < 0) {
      out = static_cast<Integer>(number);
      return {};
    }
  }
  return wrong(place, value,
               "an integer from " + std::to_string(kMin) + " to " + std::to_string(kMax));
}

/// Reads any type that messages are made of, by what it is.
template <class Value>
Problem read_value(const Place& place, const nlohmann::json& value, Value& out);

/// Reads the members of a struct. `tag` is a member that belongs to somebody else.
template <class Struct>
Problem read_members(const Place& place, const nlohmann::json& object, Struct& out,
                     std::string_view tag) {
  if (!object.is_object()) {
    return wrong(place, object, "an object");
  }
  for (const auto& item : object.items()) {
    if (!tag.empty() && item.key() == tag) {
      continue;
    }
    bool found = false;
    Problem problem;
    const auto try_field = [&](const auto& named) {
      if (!found && item.key() == named.name) {
        found = true;
        problem = read_value(place.at(item.key()), item.value(), out.*named.member);
      }
    };
    Struct::fields([&](const auto&... named) { (try_field(named), ...); });
    if (problem) {
      return problem;
    }
    if (!found) {
      const auto names = Struct::fields([](const auto&... named) {
        return std::array<std::string_view, sizeof...(named)>{named.name...};
      });
      return unknown(place.at(item.key()), "member", item.key(), names);
    }
  }
  return {};
}

/// Reads {"type": ..., members} into the alternative whose kName is the type.
template <class... Alternatives>
Problem read_variant(const Place& place, const nlohmann::json& object,
                     std::variant<Alternatives...>& out) {
  constexpr std::array<std::string_view, sizeof...(Alternatives)> kNames{Alternatives::kName...};
  if (!object.is_object()) {
    return wrong(place, object, "an object");
  }
  const auto type = object.find("type");
  if (type == object.end()) {
    return Issue{place.pointer(), "no \"type\"", "an object with a \"type\"", {}};
  }
  if (!type->is_string()) {
    return wrong(place.at("type"), *type, "a string");
  }
  const auto& word = type->template get_ref<const std::string&>();
  bool found = false;
  Problem problem;
  const auto try_alternative = [&]<class Alternative>(std::type_identity<Alternative>) {
    if (!found && word == Alternative::kName) {
      found = true;
      problem = read_members(place, object, out.template emplace<Alternative>(), "type");
    }
  };
  (try_alternative(std::type_identity<Alternatives>{}), ...);
  return found ? problem : unknown(place.at("type"), "type", word, kNames);
}

/// Reads a word of EnumNames<Enum>.
template <class Enum>
Problem read_enum(const Place& place, const nlohmann::json& value, Enum& out) {
  const std::span<const std::string_view> names = EnumNames<Enum>::kNames;
  if (!value.is_string()) {
    return wrong(place, value, "a string");
  }
  const auto& word = value.template get_ref<const std::string&>();
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (names[index] == word) {
      out = static_cast<Enum>(index);
      return {};
    }
  }
  return unknown(place, "word", word, names);
}

template <class Value>
Problem read_value(const Place& place, const nlohmann::json& value, Value& out) {
  if constexpr (std::is_same_v<Value, bool>) {
    if (!value.is_boolean()) {
      return wrong(place, value, "true or false");
    }
    out = value.template get<bool>();
    return {};
  } else if constexpr (std::is_integral_v<Value>) {
    return read_integer(place, value, out);
  } else if constexpr (std::is_enum_v<Value>) {
    return read_enum(place, value, out);
  } else if constexpr (std::is_same_v<Value, std::string>) {
    if (!value.is_string()) {
      return wrong(place, value, "a string");
    }
    out = value.template get<std::string>();
    return {};
  } else if constexpr (std::is_same_v<Value, RankSet>) {
    return read_ranks(place, value, out);
  } else if constexpr (IsOptional<Value>::value) {
    if (value.is_null()) {
      out.reset();
      return {};
    }
    return read_value(place, value, out.emplace());
  } else if constexpr (IsVector<Value>::value) {
    if (!value.is_array()) {
      return wrong(place, value, "an array");
    }
    for (std::size_t index = 0; index < value.size(); ++index) {
      if (auto problem = read_value(place.at(index), value[index], out.emplace_back())) {
        return problem;
      }
    }
    return {};
  } else if constexpr (IsVariant<Value>::value) {
    return read_variant(place, value, out);
  } else {
    return read_members(place, value, out, {});
  }
}

/// Reads a whole message; pointers of issues are relative to it.
template <class Value>
ReadResult<Value> read_whole(const nlohmann::json& value) {
  Value out;
  if (auto problem = read_value(Place{}, value, out)) {
    return *std::move(problem);
  }
  return out;
}

}  // namespace aftershock::policies::json_reader
