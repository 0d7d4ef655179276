#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/render/style.h"

namespace aftershock::reports {

/// Rows of cells in columns as wide as they need to be, or, where the text is too wide, with the
/// widest of the elastic columns shortened.
class Table {
 public:
  /// Where in its column a cell stands.
  enum class Align : std::uint8_t { kLeft, kRight };
  /// How a column is laid out.
  struct Column {
    Align align = Align::kLeft;
    bool elastic = false;
    std::size_t columns_min = 8;  ///< an elastic column is not made narrower
    bool distinct = false;        ///< nor so narrow that two cells that differ look alike
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// As many cells as there are columns, all `printable`. `colour` is for the whole row.
  void row(std::vector<std::string> cells, Colour colour = Colour::kPlain);
  /// Text under the last row, further in, on as many lines as it needs.
  void note(std::string text);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The rows, each on a line behind `indent` spaces.
  [[nodiscard]] std::string text(const Style& style, std::size_t indent) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Colour colour = Colour::kPlain;
    std::string note;
  };

  [[nodiscard]] std::vector<std::size_t> widths(std::size_t room, bool unicode) const;
  [[nodiscard]] std::size_t least_width(std::size_t column, bool unicode) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace aftershock::reports
