#include <fmt/format.h>

#include "reports/matrix/outputs.h"
#include "reports/render/junit.h"

namespace aftershock::reports {
namespace {

void add_cell(JunitSuite& suite, const MatrixReport& report, const MatrixHeading& row,
              const CellOutcome& cell) {
  const std::string class_name = fmt::format("{}.{}", report.policy, row.name);
  const JunitSuite::Name name{.of_class = class_name, .of_case = cell.id};
  if (cell.state == CellState::kExcluded) {
    suite.skipped(name, cell.why);
  } else if (is_red(cell.state)) {
    suite.broken(
        name,
        cell.state == CellState::kBroken ? JunitSuite::Fault::kError : JunitSuite::Fault::kFailure,
        name_of(cell.state), cell.why,
        fmt::format("{}\n{}\n", cell.label, cell_command(report, cell)));
  } else if (cell.why.empty()) {
    suite.passed(name);
  } else {
    suite.passed(name, fmt::format("{}: {}", name_of(cell.state), cell.why));
  }
}

}  // namespace

std::string matrix_junit(const MatrixReport& report) {
  std::vector<JunitSuite> suites;
  for (std::uint32_t row = 0; row < report.rows.size(); ++row) {
    JunitSuite& suite =
        suites.emplace_back(fmt::format("{} {}", report.rows[row].id, report.rows[row].name));
    for (const CellOutcome& cell : report.cells) {
      if (cell.row == row) {
        add_cell(suite, report, report.rows[row], cell);
      }
    }
  }
  return junit_document(report.words.suite, suites);
}

}  // namespace aftershock::reports
