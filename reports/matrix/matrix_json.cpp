#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/matrix/outputs.h"

namespace aftershock::reports {
namespace {

using Json = nlohmann::ordered_json;

Json headings_json(const std::vector<MatrixHeading>& headings) {
  Json list = Json::array();
  for (const MatrixHeading& heading : headings) {
    Json entry{{"id", heading.id}, {"name", heading.name}};
    if (!heading.note.empty()) {
      entry["must_hold"] = heading.note;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

nlohmann::ordered_json matrix_json(const MatrixReport& report) {
  const Verdict verdict = verdict_of(report);
  const StateCounts counts = counts_of(report);
  Json counted = Json::object();
  for (std::size_t i = 0; i < kCellStates; ++i) {
    counted[std::string(name_of(static_cast<CellState>(i)))] = counts.at(i);
  }
  Json cells = Json::array();
  for (const CellOutcome& cell : report.cells) {
    Json entry{{"id", cell.id},
               {"row", cell.row},
               {"column", cell.column},
               {"state", name_of(cell.state)}};
    if (cell.state != CellState::kExcluded) {
      entry["verdict"] = name_of(cell.verdict);
      entry["hash"] = fmt::format("{:016x}", cell.hash);
    }
    if (!cell.why.empty()) {
      entry["why"] = cell.why;
    }
    cells.push_back(std::move(entry));
  }
  return {{"schema", 1},
          {"scenario", report.scenario},
          {"policy", report.policy},
          {"seed", report.seed},
          {"verdict", name_of(verdict)},
          {"exit_code", exit_code(verdict)},
          {"counts", std::move(counted)},
          {"rows", headings_json(report.rows)},
          {"columns", headings_json(report.columns)},
          {"cells", std::move(cells)}};
}

}  // namespace aftershock::reports
