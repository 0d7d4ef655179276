#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"
#include "sim/scenario/shape/shape.h"
#include "sim/scenario/text/error_list.h"
#include "sim/scenario/text/located_json.h"

namespace aftershock::sim::scenario {

/// The members of an object that has passed its check. A key that was not written has the default
/// of its description; asking for a key that has neither is our mistake.
class Fields {
 public:
  Fields(const ObjectShape& shape, const LocatedValue& object) : shape_(shape), object_(object) {}
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  [[nodiscard]] const LocatedValue& object() const { return object_; }

  /// The value as written, or null.
  [[nodiscard]] const LocatedValue* written(std::string_view key) const {
    return object_.find(key);
  }
  /// Whether the key was written.
  [[nodiscard]] bool has(std::string_view key) const { return written(key) != nullptr; }

  /// The value to name in an error about this key: as written, or the object it is missing in.
  [[nodiscard]] const LocatedValue& blame(std::string_view key) const;

  /// As written, or the default; lives as long as this and the tree.
  [[nodiscard]] const LocatedValue& value(std::string_view key) const;

  /// The value in its unit: microseconds, bytes, bytes a second.
  [[nodiscard]] const LocatedValue::List& list(std::string_view key) const;
  [[nodiscard]] std::int64_t duration(std::string_view key) const;
  [[nodiscard]] std::int64_t size(std::string_view key) const;
  [[nodiscard]] std::int64_t rate(std::string_view key) const;
  [[nodiscard]] std::int64_t integer(std::string_view key) const;
  [[nodiscard]] std::uint32_t count(std::string_view key) const;
  [[nodiscard]] double number(std::string_view key) const;
  /// A share, as parts per million.
  [[nodiscard]] std::int64_t millionths(std::string_view key) const;
  [[nodiscard]] bool boolean(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;

  /// The same of a key that may be absent and has no default.
  [[nodiscard]] std::optional<std::int64_t> optional_duration(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> optional_rate(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> optional_integer(std::string_view key) const;
  [[nodiscard]] std::optional<double> optional_number(std::string_view key) const;

  /// The enumerator at the place of the word in the key's description.
  template <class Enum>
  [[nodiscard]] Enum word(std::string_view key) const {
    return static_cast<Enum>(word_index(key));
  }

  /// A distribution; errors that its form does not show go to `errors`.
  [[nodiscard]] Distribution distribution(std::string_view key, ErrorList& errors) const;

 private:
  [[nodiscard]] std::size_t word_index(std::string_view key) const;

  const ObjectShape& shape_;
  const LocatedValue& object_;
  mutable std::deque<LocatedValue> defaults_;  ///< those asked for; a deque does not move them
};

/// Reads a distribution that has passed its check.
Distribution read_distribution(const LocatedValue& value, ErrorList& errors);

/// Parses the text of a default.
LocatedValue default_value(std::string_view json);

}  // namespace aftershock::sim::scenario
