#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/text/error.h"
#include "sim/scenario/text/units.h"

namespace aftershock::sim::imports {

/// One cell of a table, without blanks around it and without its quotes.
struct Cell {
  std::string text;
  std::uint64_t column = 1;  ///< of its first character, counted from 1
};

/// One line of a table; quoted cells may go on over several.
struct Row {
  std::uint64_t line = 0;
  std::vector<Cell> cells;
};

/// No row of any trace has more cells.
inline constexpr std::size_t kMostColumns = 64;

/// Gives every row of comma-separated text (RFC 4180) to `on_row` until that says false. A byte
/// order mark, either kind of line end, empty lines and lines that begin with '#' are passed over.
/// Returns what makes the text no table: NUL bytes, what is not UTF-8, an open quote, too many
/// cells.
std::optional<scenario::ScenarioError> for_rows(std::string_view text, const std::string& name,
                                                const std::function<bool(const Row&)>& on_row);

/// An error at a cell.
scenario::ScenarioError error_at(const std::string& name, const Row& row, const Cell& cell,
                                 scenario::TextProblem problem);
/// An error of a row as a whole.
scenario::ScenarioError error_at(const std::string& name, const Row& row, std::string message,
                                 std::string expected);

}  // namespace aftershock::sim::imports
