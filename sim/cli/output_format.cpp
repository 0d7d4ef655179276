#include "sim/cli/output_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

void print_as(const OutputFormat& format, const Printed& printed) {
  if (format.is_table()) {
    print(printed.text());
  } else if (format.is_json()) {
    print_json(printed.json ? printed.json() : printed.rows());
  } else if (format.word == "csv") {
    print(reports::csv_table(printed.rows()));
  } else {
    print(printed.markdown());
  }
}

}  // namespace aftershock::sim::cli
