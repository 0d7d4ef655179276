#include "reports/matrix/matrix.h"

#include <algorithm>

namespace aftershock::reports {

std::string_view name_of(CellState state) {
  constexpr std::array<std::string_view, kCellStates> kNames{
      "excluded",         "recovered", "ended",      "unfinished", "past recovery",
      "expected finding", "finding",   "not bitten", "broken"};
  return kNames[static_cast<std::size_t>(state)];
}

bool is_red(CellState state) {
  return state == CellState::kFinding || state == CellState::kUnbitten ||
         state == CellState::kBroken;
}

StateCounts counts_of(const MatrixReport& report) {
  StateCounts counts{};
  for (const CellOutcome& cell : report.cells) {
    ++counts.at(static_cast<std::size_t>(cell.state));
  }
  return counts;
}

std::vector<std::vector<StateCounts>> field_counts(const MatrixReport& report) {
  std::vector<std::vector<StateCounts>> fields(
      report.rows.size(), std::vector<StateCounts>(report.columns.size(), StateCounts{}));
  for (const CellOutcome& cell : report.cells) {
    ++fields.at(cell.row).at(cell.column).at(static_cast<std::size_t>(cell.state));
  }
  return fields;
}

Verdict verdict_of(const MatrixReport& report) {
  Verdict worst = Verdict::kPassed;
  for (const CellOutcome& cell : report.cells) {
    if (is_red(cell.state)) {
      worst = worse_of(worst, cell.verdict == Verdict::kPassed ? Verdict::kFailed : cell.verdict);
    }
  }
  return worst;
}

std::vector<SharedReason> reasons_of(const MatrixReport& report, CellState state) {
  std::vector<SharedReason> reasons;
  for (const CellOutcome& cell : report.cells) {
    if (cell.state != state) {
      continue;
    }
    const auto found = std::ranges::find(reasons, cell.why, &SharedReason::why);
    if (found == reasons.end()) {
      reasons.push_back({cell.why, 1, cell.id});
    } else {
      ++found->cells;
    }
  }
  std::ranges::stable_sort(reasons, std::ranges::greater{}, &SharedReason::cells);
  return reasons;
}

}  // namespace aftershock::reports
