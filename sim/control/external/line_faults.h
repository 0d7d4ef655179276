#pragma once

#include <string>
#include <string_view>

namespace aftershock::sim::control {

/// One line that is safe to show: control characters become blanks, invalid UTF-8 becomes U+FFFD.
std::string shown_line(std::string_view text);

/// The beginning of a text, as it is quoted in an error.
std::string quote(std::string_view text);

/// The whole of an error that a policy tells, to stand behind a colon: in quotes where it is one
/// short line, else each line on a line of its own, indented, below. More than 4,096 bytes of it
/// are not shown, which is said.
std::string whole_error(std::string_view text);

/// The reason why an answer fails to be a JSON object, in words; `what` was asked.
std::string why_no_object(std::string_view line, std::string_view what);

}  // namespace aftershock::sim::control
