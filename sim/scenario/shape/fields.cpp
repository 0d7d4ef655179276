#include "sim/scenario/shape/fields.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/api/json_as_text.h"
#include "sim/scenario/shape/check.h"

namespace aftershock::sim::scenario {
namespace {

const std::string& text_of(const LocatedValue& value) { return std::get<std::string>(value.data); }

std::int64_t value_of(UnitResult<std::int64_t> result) { return std::get<std::int64_t>(result); }

}  // namespace

LocatedValue default_value(std::string_view json) {
  return located(policies::json_from_text(json), {});
}

const LocatedValue& Fields::blame(std::string_view key) const {
  const LocatedValue* value = written(key);
  return value == nullptr ? object_ : *value;
}

const LocatedValue& Fields::value(std::string_view key) const {
  if (const LocatedValue* value = written(key)) return *value;
  const Key* known = shape_.find(key);
  AFTERSHOCK_ASSERT(known != nullptr && !known->default_text.empty());
  return defaults_.emplace_back(default_value(known->default_text));
}

const LocatedValue::List& Fields::list(std::string_view key) const {
  return std::get<LocatedValue::List>(value(key).data);
}

std::int64_t Fields::duration(std::string_view key) const {
  return value_of(parse_duration(text_of(value(key))));
}

std::int64_t Fields::size(std::string_view key) const {
  return value_of(parse_size(text_of(value(key))));
}

std::int64_t Fields::rate(std::string_view key) const {
  return value_of(parse_rate(text_of(value(key))));
}

std::int64_t Fields::integer(std::string_view key) const { return *whole_number(value(key)); }

std::uint32_t Fields::count(std::string_view key) const {
  return static_cast<std::uint32_t>(integer(key));
}

double Fields::number(std::string_view key) const { return *any_number(value(key)); }

std::int64_t Fields::millionths(std::string_view key) const {
  constexpr double kMillion = 1e6;
  return std::llround(number(key) * kMillion);
}

bool Fields::boolean(std::string_view key) const { return std::get<bool>(value(key).data); }

std::string Fields::text(std::string_view key) const { return text_of(value(key)); }

std::optional<std::int64_t> Fields::optional_duration(std::string_view key) const {
  return has(key) ? std::optional(duration(key)) : std::nullopt;
}

std::optional<std::int64_t> Fields::optional_rate(std::string_view key) const {
  return has(key) ? std::optional(rate(key)) : std::nullopt;
}

std::optional<std::int64_t> Fields::optional_integer(std::string_view key) const {
  return has(key) ? std::optional(integer(key)) : std::nullopt;
}

std::optional<double> Fields::optional_number(std::string_view key) const {
  return has(key) ? std::optional(number(key)) : std::nullopt;
}

Distribution Fields::distribution(std::string_view key, ErrorList& errors) const {
  return read_distribution(value(key), errors);
}

std::size_t Fields::word_index(std::string_view key) const {
  const auto& words = shape_.find(key)->shape.words;
  const auto found = std::find(words.begin(), words.end(), text(key));
  AFTERSHOCK_ASSERT(found != words.end());
  return static_cast<std::size_t>(found - words.begin());
}

}  // namespace aftershock::sim::scenario
