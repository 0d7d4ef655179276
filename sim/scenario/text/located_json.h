#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/scenario/text/error.h"
#include "sim/scenario/text/sources.h"

namespace aftershock::sim::scenario {

/// Levels of a file, and parts of a pointer into it.
inline constexpr std::size_t kDeepest = 64;

struct LocatedMember;

/// Whether two keys are the same. Of the keys of an object nearly all differ in length or in their
/// first letter, and a sweep reads its scenarios thousands of times.
inline bool same_key(std::string_view one, std::string_view other) {
  return one.size() == other.size() &&
         (one.empty() || (one.front() == other.front() && one == other));
}

/// A JSON value that knows where it was written. Members keep the order of the file; whole numbers
/// stay whole.
struct LocatedValue {
  using List = std::vector<LocatedValue>;
  using Members = std::vector<LocatedMember>;
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, List,
               Members>
      data;  ///< null from the start; saying so here would need a complete LocatedMember
  Place place;

  /// The value if it is of this type, else null.
  template <class T>
  [[nodiscard]] const T* get_if() const {
    return std::get_if<T>(&data);
  }
  /// The value if it is of this type, else null.
  template <class T>
  [[nodiscard]] T* get_if() {
    return std::get_if<T>(&data);
  }
  /// Whether `null` was written.
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(data); }

  /// The member of this name, or null; also null when this is not an object.
  [[nodiscard]] const LocatedValue* find(std::string_view key) const;
  [[nodiscard]] LocatedValue* find(std::string_view key);
};

/// A key, where it stands, and its value.
struct LocatedMember {
  std::string key;
  Place place;
  LocatedValue value;
};

/// Parses the text of a source. Beyond JSON's own rules these are errors: a byte order mark,
/// duplicate keys, numbers that 64 bits do not hold, more than kDeepest levels.
std::variant<LocatedValue, ScenarioError> parse_located(const Sources& sources,
                                                        std::uint32_t source);

/// A value and all below it, as if written at `place`.
LocatedValue located(const nlohmann::json& json, Place place);

/// The value without its places, members in their order.
nlohmann::ordered_json to_ordered_json(const LocatedValue& value);
nlohmann::json to_json(const LocatedValue& value);

/// "a string", "an object", ...: how an error calls it.
std::string_view type_phrase(const LocatedValue& value);

}  // namespace aftershock::sim::scenario
