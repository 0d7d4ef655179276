#include <fmt/format.h>

#include "reports/check/outputs.h"
#include "reports/matrix/outputs.h"

namespace aftershock::reports {
namespace {

struct MatrixSuite {
  std::string cases;
  std::int64_t tests = 0;
  std::int64_t failures = 0;
  std::int64_t errors = 0;
  std::int64_t skipped = 0;
};

void add_cell(MatrixSuite& suite, const MatrixReport& report, const MatrixHeading& row,
              const CellOutcome& cell) {
  ++suite.tests;
  suite.cases += fmt::format("  <testcase classname=\"{}.{}\" name=\"{}\"", xml_text(report.policy),
                             xml_text(row.name), xml_text(cell.id));
  if (cell.state == CellState::kExcluded) {
    ++suite.skipped;
    suite.cases +=
        fmt::format(">\n   <skipped message=\"{}\"/>\n  </testcase>\n", xml_text(cell.why));
  } else if (is_red(cell.state)) {
    const bool error = cell.state == CellState::kBroken;
    ++(error ? suite.errors : suite.failures);
    suite.cases +=
        fmt::format(">\n   <{0} type=\"{1}\" message=\"{2}\">{3}\n{4}\n</{0}>\n  </testcase>\n",
                    error ? "error" : "failure", name_of(cell.state), xml_text(cell.why),
                    xml_text(cell.label), xml_text(cell_command(report, cell)));
  } else if (cell.why.empty()) {
    suite.cases += "/>\n";
  } else {
    suite.cases += fmt::format(">\n   <system-out>{}: {}</system-out>\n  </testcase>\n",
                               name_of(cell.state), xml_text(cell.why));
  }
}

}  // namespace

std::string matrix_junit(const MatrixReport& report) {
  std::string text;
  MatrixSuite sum;
  for (std::uint32_t row = 0; row < report.rows.size(); ++row) {
    MatrixSuite suite;
    for (const CellOutcome& cell : report.cells) {
      if (cell.row == row) {
        add_cell(suite, report, report.rows[row], cell);
      }
    }
    text += fmt::format(
        " <testsuite name=\"{} {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
        "{} </testsuite>\n",
        xml_text(report.rows[row].id), xml_text(report.rows[row].name), suite.tests, suite.failures,
        suite.errors, suite.skipped, suite.cases);
    sum.tests += suite.tests;
    sum.failures += suite.failures;
    sum.errors += suite.errors;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"aftershock matrix\" "
      "tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
      sum.tests, sum.failures, sum.errors, text);
}

}  // namespace aftershock::reports
