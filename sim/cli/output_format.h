#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sim/cli/arguments/arguments.h"

namespace aftershock::sim::cli {

/// How a command prints what it found, as --format says it: one word of table, csv, json and
/// markdown.
struct OutputFormat {
  std::string word = "table";

  /// Whether people read it, who want to see progress, too.
  [[nodiscard]] bool is_table() const { return word == "table"; }
  [[nodiscard]] bool is_json() const { return word == "json"; }
};

/// Declares --json, which says that of every command that has it; `what`: "one JSON object".
void add_json(Command command, OutputFormat& format, const std::string& what = "one JSON object");
/// Declares --format and --json, its short form, of a command that prints a table.
void add_format(Command command, OutputFormat& format, const std::string& what = "one JSON object");

/// The output of a command in each form; only the one that is asked for is made.
struct Printed {
  std::function<std::string()> text;
  std::function<std::string()> markdown;
  std::function<nlohmann::ordered_json()> rows;  ///< of the table, for CSV: see csv_table
  std::function<nlohmann::ordered_json()> json;  ///< empty: the rows
};

/// The text that print_as prints.
std::string text_as(const OutputFormat& format, const Printed& printed);
/// Prints it to standard output.
void print_as(const OutputFormat& format, const Printed& printed);

/// False, with a word on standard error, where it asks for the table of something that has none:
/// `what`, as "--rare".
bool needs_no_table(const OutputFormat& format, std::string_view what);

}  // namespace aftershock::sim::cli
