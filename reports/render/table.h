#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/render/style.h"

namespace aftershock::reports {

/// Rows of cells in columns as wide as they need to be. Where the text is too wide, what labels
/// share goes to their heading, or letters stand for them, which are told whole below the rows;
/// then columns that may go are left out, and the widest of the elastic ones are shortened.
class Table {
 public:
  /// Where in its column a cell stands.
  enum class Align : std::uint8_t { kLeft, kRight };
  /// Which cells of a column are labels: names that say nothing once they are cut.
  enum class Labels : std::uint8_t { kNone, kHeading, kRows };
  /// How a column is laid out.
  struct Column {
    Align align = Align::kLeft;
    bool elastic = false;
    std::size_t columns_min = 8;  ///< an elastic column is not made narrower, nor a label lettered;
                                  ///< of an elastic column longer labels alone, else all are
    Labels labels = Labels::kNone;
    bool may_go = false;  ///< left out where the text is too wide with it
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// As many cells as there are columns, all `printable`. The first row is the heading, where there
  /// is one. `colour` is for the whole row.
  void row(std::vector<std::string> cells, Colour colour = Colour::kPlain);
  /// Text under the last row, further in, on as many lines as it needs.
  void note(std::string text);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Columns that the rows take with every cell whole.
  [[nodiscard]] std::size_t width() const;
  /// The rows, each on a line behind `indent` spaces.
  [[nodiscard]] std::string text(const Style& style, std::size_t indent) const;
  /// The same in GitHub's Markdown, every cell whole, behind a heading; notes are the last column.
  [[nodiscard]] std::string markdown() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Colour colour = Colour::kPlain;
    std::string note;
  };

  [[nodiscard]] std::vector<std::size_t> natural_widths() const;
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t room) const;
  [[nodiscard]] std::string lines(const Style& style, std::size_t indent) const;
  [[nodiscard]] bool is_label(std::size_t row, std::size_t column) const;
  /// Takes what all labels of a column begin with, such as "policy=", for its heading.
  void share_beginning(std::size_t column);
  /// Puts letters in the place of labels, which it returns in that order.
  std::vector<std::string> take_labels();
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace aftershock::reports
