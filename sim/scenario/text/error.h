#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aftershock::sim::scenario {

/// The stage of reading that finds an error.
enum class ErrorKind : std::uint8_t {
  kFile,     ///< no text: it cannot be read, or an `extends` that leads nowhere
  kJson,     ///< the text is not JSON as scenarios are written
  kForm,     ///< keys, types, ranges, patterns: the JSON Schema sees it as well
  kMeaning,  ///< arithmetic, several places of the file, names that the program knows
  kArgument  ///< of the command line
};
/// "file", "json", "form", "meaning", "argument".
std::string_view name_of(ErrorKind kind);

/// Something wrong with a scenario, and where. Everything that a reader is told about bad input has
/// this form.
struct ScenarioError {
  std::string file;          ///< or the argument that the value came from: "--set /seed=x"
  std::uint64_t line = 0;    ///< from 1; 0: the source has no lines, or could not be read
  std::uint64_t column = 0;  ///< from 1, in characters
  std::string pointer;       ///< JSON Pointer of the value or key
  std::string message;       ///< the error
  std::string expected;      ///< the right form, empty when the message says it
  std::string nearest;       ///< the nearest known name, empty when none is near
  ErrorKind kind = ErrorKind::kMeaning;
};

/// One line: `FILE:LINE:COLUMN: /pointer: message; expected ...; did you mean "..."?`
std::string format(const ScenarioError& error);

/// The text in double quotes, escaped as in JSON and cut short when it is long: what a user wrote
/// can be megabytes or control characters.
std::string in_quotes(std::string_view text);

/// Appends `/key` to a JSON Pointer, with `~` and `/` escaped.
void append_to_pointer(std::string& pointer, std::string_view key);

}  // namespace aftershock::sim::scenario
