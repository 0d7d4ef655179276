#include "sim/cli/output_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "reports/render/csv_table.h"
#include "sim/cli/command.h"

namespace aftershock::sim::cli {

void add_json(Command command, OutputFormat& format, const std::string& what) {
  command.add_short_form("--json", format.word, "json",
                         fmt::format("print {}, for programs", what));
}

void add_format(Command command, OutputFormat& format, const std::string& what) {
  add_json(command, format, what + " (as --format json)");
  command
      .add_option(
          "--format", format.word,
          "table; csv: its rows, numbers whole and units in the names of columns; markdown: "
          "the table for GitHub; or json")
      .one_of({"table", "csv", "json", "markdown"})
      .excludes(command.option("--json"));
}

std::string text_as(const OutputFormat& format, const Printed& printed) {
  if (format.is_table()) {
    return printed.text();
  }
  if (format.is_json()) {
    const auto json = printed.json ? printed.json() : printed.rows();
    return policies::text_from_json(json, {.indent = 1}) + "\n";
  }
  return format.word == "csv" ? reports::csv_table(printed.rows()) : printed.markdown();
}

void print_as(const OutputFormat& format, const Printed& printed) {
  const std::string text = text_as(format, printed);
  format.is_json() ? print_json_text(text) : print(text);
}

bool needs_no_table(const OutputFormat& format, std::string_view what) {
  if (format.is_table() || format.is_json()) {
    return true;
  }
  complain(fmt::format("--format {}: {} has no table; expected table or json", format.word, what));
  return false;
}

}  // namespace aftershock::sim::cli
