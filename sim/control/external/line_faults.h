#pragma once

#include <string>
#include <string_view>

namespace aftershock::sim {

/// One line that is safe to show: control characters become blanks, invalid UTF-8 becomes U+FFFD.
std::string shown_line(std::string_view text);

/// The beginning of a text, as it is quoted in an error.
std::string quote(std::string_view text);

/// The reason why an answer fails to be a JSON object, in words; `what` was asked.
std::string why_no_object(std::string_view line, std::string_view what);

}  // namespace aftershock::sim
