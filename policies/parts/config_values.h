#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/api/config.h"
#include "policies/api/ids.h"

namespace aftershock::policies {

/// A value as a message about it shows it, cut short.
std::string shown(const nlohmann::json& value);

/// An integer of any sign that fits, none for anything else.
std::optional<std::int64_t> integer_value(const nlohmann::json& value);

// Each of these stores the value at `pointer`, or adds what is wrong with it to `errors` and leaves
// `out` as it was.

/// A number of seconds, or text of one. It is read through its shortest text: 0.1 is a tenth of a
/// second, not the double beside it.
void read_seconds_value(const std::string& pointer, const nlohmann::json& value, DurationUs& out,
                        std::vector<ConfigIssue>& errors);

/// Text of a number of seconds, e.g. of an environment variable.
void read_seconds_text(const std::string& pointer, std::string_view text, DurationUs& out,
                       std::vector<ConfigIssue>& errors);

/// A boolean.
void read_flag(const std::string& pointer, const nlohmann::json& value, bool& out,
               std::vector<ConfigIssue>& errors);

/// A string.
void read_text(const std::string& pointer, const nlohmann::json& value, std::string& out,
               std::vector<ConfigIssue>& errors);

/// An array of strings, which is stored in order and without repetitions.
void read_names(const std::string& pointer, const nlohmann::json& value,
                std::vector<std::string>& out, std::vector<ConfigIssue>& errors);

/// Null, which clears `out`, or an integer of at least `least`; `none` says what null means.
void read_count(const std::string& pointer, const nlohmann::json& value, std::uint32_t least,
                std::string_view none, std::optional<std::uint32_t>& out,
                std::vector<ConfigIssue>& errors);

}  // namespace aftershock::policies
