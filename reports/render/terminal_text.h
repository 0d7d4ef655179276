#pragma once

#include <string>
#include <string_view>

// Texts that others may have written, on their way to a terminal or into the log of a CI, which
// would obey what is in them.
namespace aftershock::reports {

/// The text on one line: control characters, and those that turn the direction of text around,
/// become spaces, and bytes that are not UTF-8 become U+FFFD. A line that begins with "::", which
/// GitHub takes for a command, begins with "?:" instead.
std::string one_line(std::string_view text);

/// A text that is printed as a whole: line ends, tabs and colours stay, and other such characters
/// become '?'. Lines that GitHub shall take for commands stay such.
std::string printed_text(std::string_view text);

/// The same JSON, in whose strings such characters are escaped.
std::string printed_json(std::string_view json);

}  // namespace aftershock::reports
