#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/ledger/summary.h"

// The outcome of every moment of a recovery in which a second thing was broken (design.md 7,
// `matrix`).
namespace aftershock::reports {

/// How one cell ended, from what nobody needs to look at to what everybody must.
enum class CellState : std::uint8_t {
  kExcluded,    ///< it cannot be, and says why
  kRecovered,   ///< the job completed
  kEnded,       ///< the job ended by its policy's own rules: a budget, a rule that gives up
  kUnfinished,  ///< the simulation ended before the job, which was not in a circle
  kLost,        ///< too few nodes are left for the job, and none comes: no policy could recover
  kExpected,    ///< a finding that is documented of the system that the policy reproduces
  kFinding,     ///< an invariant was violated, or the job never got on
  kUnbitten,    ///< the fault did not fire: the moment was not what the survey said
  kBroken,      ///< the run itself failed
};
/// How many there are.
inline constexpr std::size_t kCellStates = 9;
/// "recovered", "ended", ...
std::string_view name_of(CellState state);
/// An outcome that nobody has explained: it makes a matrix red.
bool is_red(CellState state);

/// One cell.
struct CellOutcome {
  std::uint32_t row = 0;
  std::uint32_t column = 0;
  std::string id;     ///< for `--cell`: "tearing_down/F03/other/entry"
  std::string label;  ///< in words
  CellState state = CellState::kExcluded;
  std::string why;  ///< of all but those that recovered
  Verdict verdict = Verdict::kPassed;
  std::uint64_t hash = 0;
};

/// A row or a column.
struct MatrixHeading {
  std::string id;    ///< "P06", "F03"
  std::string name;  ///< "tearing_down", "node loss"
  std::string note;  ///< the law when it is struck; empty: nothing is said
};

/// The words of a report for its headings.
struct MatrixWords {
  std::string_view kind = "Recovery matrix";
  std::string_view suite = "aftershock matrix";  ///< JUnit's name for all of it
  std::string_view things = "Cells";
  std::string_view rows = "phase";  ///< the subject of rows
  std::string_view excluded = "Impossible cells";
  std::string_view empty = "an empty field cannot be";
  std::string_view option = "--cell";  ///< of `aftershock matrix`: prints the scenario of one
};

/// The whole of it.
struct MatrixReport {
  MatrixWords words;
  std::string path;  ///< of the scenario, as it was given
  std::string scenario;
  std::string policy;
  std::string options;  ///< that make it another one, as a shell takes them, each behind a blank
  std::uint64_t seed = 1;
  std::vector<MatrixHeading> rows;
  std::vector<MatrixHeading> columns;
  std::vector<CellOutcome> cells;  ///< by row, column, target, offset
};

/// Counts by state.
using StateCounts = std::array<std::int64_t, kCellStates>;
/// Of all cells.
StateCounts counts_of(const MatrixReport& report);
/// The same of each field: [row][column].
std::vector<std::vector<StateCounts>> field_counts(const MatrixReport& report);
/// The worst verdict, in the order of design.md 5; documented findings count as passed.
Verdict verdict_of(const MatrixReport& report);

/// Reasons that cells share, with how many do, the most frequent first.
struct SharedReason {
  std::string why;
  std::int64_t cells = 0;
  std::string example;  ///< id of the first
};
/// Of the cells in that state.
std::vector<SharedReason> reasons_of(const MatrixReport& report, CellState state);

}  // namespace aftershock::reports
