#include "policies/parts/config_values.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/parts/decimal_seconds.h"

namespace aftershock::policies {

using nlohmann::json;

std::string shown(const json& value) { return "got " + text_from_json(value).substr(0, 80); }

std::optional<std::int64_t> integer_value(const json& value) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(number);
  }
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  return std::nullopt;
}

void read_seconds_text(const std::string& pointer, std::string_view text, DurationUs& out,
                       std::vector<ConfigIssue>& errors) {
  if (const auto duration = microseconds_from_seconds(text)) {
    out = *duration;
    return;
  }
  errors.push_back({pointer,
                    "got \"" + std::string(text.substr(0, 80)) + "\"",
                    "seconds, at most six digits after the point",
                    {}});
}

void read_seconds_value(const std::string& pointer, const json& value, DurationUs& out,
                        std::vector<ConfigIssue>& errors) {
  if (value.is_string()) {
    read_seconds_text(pointer, value.get_ref<const std::string&>(), out, errors);
  } else if (value.is_number_float()) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value.get<double>());
    read_seconds_text(pointer, std::string_view(text, end.ptr), out, errors);
  } else if (value.is_number()) {
    read_seconds_text(pointer, text_from_json(value), out, errors);
  } else {
    errors.push_back({pointer, shown(value), "a number of seconds", {}});
  }
}

void read_flag(const std::string& pointer, const json& value, bool& out,
               std::vector<ConfigIssue>& errors) {
  if (value.is_boolean()) {
    out = value.get<bool>();
  } else {
    errors.push_back({pointer, shown(value), "true or false", {}});
  }
}

void read_text(const std::string& pointer, const json& value, std::string& out,
               std::vector<ConfigIssue>& errors) {
  if (value.is_string()) {
    out = value.get<std::string>();
  } else {
    errors.push_back({pointer, shown(value), "a string", {}});
  }
}

void read_names(const std::string& pointer, const json& value, std::vector<std::string>& out,
                std::vector<ConfigIssue>& errors) {
  const auto is_text = [](const json& name) { return name.is_string(); };
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), is_text)) {
    errors.push_back({pointer, shown(value), "an array of strings", {}});
    return;
  }
  out = value.get<std::vector<std::string>>();
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void read_count(const std::string& pointer, const json& value, std::uint32_t least,
                std::string_view none, std::optional<std::uint32_t>& out,
                std::vector<ConfigIssue>& errors) {
  if (value.is_null()) {
    out.reset();
    return;
  }
  const auto count = integer_value(value);
  if (!count || *count < least || *count > std::numeric_limits<std::uint32_t>::max()) {
    const bool high = count && *count > least;
    errors.push_back(
        {pointer,
         shown(value),
         "null (" + std::string(none) + ") or an integer " +
             (high ? "from " + std::to_string(least) + " to " + std::to_string(UINT32_MAX)
                   : "of at least " + std::to_string(least)),
         {}});
    return;
  }
  out = static_cast<std::uint32_t>(*count);
}

}  // namespace aftershock::policies
