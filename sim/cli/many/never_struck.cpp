#include "sim/cli/many/never_struck.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/cli/many/run_again.h"

namespace aftershock::sim::cli {
namespace {

constexpr std::string_view kMetric = "never_struck";

bool is_positive(const reports::RunRow& row, std::string_view metric) {
  return reports::number_of(row, metric).value_or(0) > 0;
}

void tell_of(const NeverStruckRuns& found, const reports::StoreHeader& header) {
  if (!found.first) {
    return;
  }
  const reports::Cell& cell = header.cells[found.first->cell];
  const std::string of = cell.label.empty() ? header.scenario : cell.label;
  tell_never_struck(found, of,
                    run_command(header.path, header.flags, cell.parameters, found.first->seed));
}

}  // namespace

void NeverStruckRuns::add(const reports::RunRow& row) {
  ++of;
  if (is_positive(row, kMetric) && is_positive(row, "alive")) {
    ++runs;
    if (!first) first = row;
  }
}

void tell_never_struck(const NeverStruckRuns& runs, const std::string& of,
                       const std::optional<std::string>& command) {
  if (!runs.first) {
    return;
  }
  complain(printable(fmt::format(
      "warning: a scripted fault never struck in {} of {} runs, first in {}, seed {}{}", runs.runs,
      runs.of, of, runs.first->seed, command ? "; why is told by: " + *command : "")));
}

void tell_never_struck(const reports::StoreHeader& header, const reports::CellRows& cells) {
  NeverStruckRuns found;
  for (const auto& rows : cells) {
    for (const reports::RunRow& row : rows) {
      found.add(row);
    }
  }
  tell_of(found, header);
}

void tell_never_struck(reports::RunReader& reader, const std::vector<reports::CellSummary>& cells) {
  const std::size_t column = *reports::metric_named(kMetric);
  const bool any = std::ranges::any_of(cells, [column](const reports::CellSummary& cell) {
    return cell.columns[column].mean().value_or(0) > 0;
  });
  NeverStruckRuns found;
  if (!any || reader.each([&found](reports::RunRow&& row) {
        found.add(row);
        return true;
      })) {
    return;  // a file that breaks off is told of by those that need its rows
  }
  tell_of(found, reader.header());
}

}  // namespace aftershock::sim::cli
