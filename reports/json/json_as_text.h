#pragma once

// JSON to text and back, made once, for what takes a compiler 1 to 2 s in every source. Reports do
// not know policies, which are built alone and have the same in policies/api/json_as_text.h.

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace aftershock::reports {

/// Reads JSON. Throws nlohmann::json::exception where the text is something else: for text that we
/// wrote ourselves, or whose errors the caller names. Json is nlohmann::json or ordered_json.
template <class Json = nlohmann::json>
[[nodiscard]] Json json_from_text(std::string_view text);

/// Reads JSON. The result is_discarded() where the text is something else.
template <class Json = nlohmann::json>
[[nodiscard]] Json json_or_discarded(std::string_view text);

/// How a JSON text is laid out.
struct JsonLayout {
  int indent = -1;  // blanks for each level, and lines; -1 is all in one line
  bool ascii_only = false;
};

/// Writes JSON. Bytes that are not UTF-8 become U+FFFD: a name from elsewhere ends no program.
template <class Json>
[[nodiscard]] std::string text_from_json(const Json& value, JsonLayout layout = {});

}  // namespace aftershock::reports
