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

Json came_to_json(const CellOutcome& cell) {
  Json told{{"state", name_of(cell.state)}};
  if (cell.state != CellState::kExcluded) {
    told["verdict"] = name_of(cell.verdict);
    told["hash"] = fmt::format("{:016x}", cell.hash);
  }
  if (!cell.why.empty()) {
    told["why"] = cell.why;
  }
  return told;
}

}  // namespace

nlohmann::ordered_json matrix_rows(const MatrixReport& report) {
  Json rows = Json::array();
  for (const CellOutcome& cell : report.cells) {
    Json row{{"id", cell.id},
             {std::string(report.words.rows), report.rows[cell.row].name},
             {"fault", report.columns[cell.column].name}};
    row.update(came_to_json(cell));
    rows.push_back(std::move(row));
  }
  return rows;
}

nlohmann::ordered_json matrix_json(const MatrixReport& report) {
  const Verdict verdict = verdict_of(report);
  const StateCounts counts = counts_of(report);
  Json counted = Json::object();
  for (std::size_t i = 0; i < kCellStates; ++i) {
    counted[std::string(name_of(static_cast<CellState>(i)))] = counts.at(i);
  }
  Json cells = Json::array();
  for (const CellOutcome& cell : report.cells) {
    Json entry{{"id", cell.id}, {"row", cell.row}, {"column", cell.column}};
    entry.update(came_to_json(cell));
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
