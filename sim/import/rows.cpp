#include "sim/import/rows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "reports/render/utf8.h"

namespace aftershock::sim::imports {

namespace {

/// Walks over the characters of a text and knows where it is.
class RowScanner {
 public:
  RowScanner(std::string_view text, const std::string& name) : text_(text), name_(name) {
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kMark)) {
      text_.remove_prefix(kMark.size());
    }
  }

  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  /// The next row; what is wrong with it.
  std::optional<scenario::ScenarioError> next(Row& row) {
    row.cells.clear();
    row.line = line_;
    begin_cell();
    while (!at_end()) {
      const char c = text_[at_];
      if (c == '\n' || (c == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n'))) {
        at_ += c == '\r' ? 1U : 0U;
        at_ += at_ < text_.size() ? 1U : 0U;
        end_cell(row);
        ++line_;
        column_ = 1;
        return std::nullopt;
      }
      if (c == ',') {
        end_cell(row);
        if (row.cells.size() >= kMostColumns) {
          return problem(fmt::format("more than {} columns", kMostColumns), "a table of a few");
        }
        step();
        begin_cell();
      } else if (auto wrong = c == '"' && cell_.empty() && !quoted_ ? quotes() : character()) {
        return wrong;
      }
    }
    end_cell(row);
    return std::nullopt;
  }

 private:
  void begin_cell() {
    cell_.clear();
    quoted_ = false;
    cell_column_ = column_;
  }

  void end_cell(Row& row) {
    if (!quoted_) {
      while (!cell_.empty() && (cell_.back() == ' ' || cell_.back() == '\t')) {
        cell_.pop_back();
      }
    }
    row.cells.push_back({std::exchange(cell_, {}), cell_column_});
  }

  void step() {
    ++at_;
    ++column_;
  }

  /// One character of a cell.
  std::optional<scenario::ScenarioError> character() {
    const char c = text_[at_];
    if (c == '\0') {
      return problem("a NUL byte", "text");
    }
    if (static_cast<unsigned char>(c) < 0x80) {
      const bool blank = c == ' ' || c == '\t';
      if (blank && cell_.empty() && !quoted_) {
        ++cell_column_;
      } else if (!blank || !quoted_ || inside_) {
        cell_ += c;
      }
      if (c == '\n') {
        ++line_;
        column_ = 0;
      }
      step();
      return std::nullopt;
    }
    constexpr std::size_t kLongest = 4;
    const auto read = reports::glyphs(text_.substr(at_, kLongest));
    if (!read.front().valid) {
      return problem("what is here is not UTF-8", "a text file in UTF-8");
    }
    cell_ += read.front().bytes;
    at_ += read.front().bytes.size();
    ++column_;
    return std::nullopt;
  }

  std::optional<scenario::ScenarioError> quotes() {
    const std::uint64_t line = line_;
    const std::uint64_t column = column_;
    quoted_ = true;
    inside_ = true;
    step();
    while (!at_end()) {
      if (text_[at_] != '"') {
        if (auto wrong = character()) {
          return wrong;
        }
        continue;
      }
      step();
      if (at_end() || text_[at_] != '"') {
        inside_ = false;
        return std::nullopt;
      }
      cell_ += '"';
      step();
    }
    line_ = line;
    column_ = column;
    return problem("this quote is never closed", "a second quote");
  }

  [[nodiscard]] scenario::ScenarioError problem(std::string message, std::string expected) const {
    scenario::ScenarioError error;
    error.file = name_;
    error.line = line_;
    error.column = column_;
    error.message = std::move(message);
    error.expected = std::move(expected);
    return error;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t column_ = 1;
  std::string cell_;
  std::uint64_t cell_column_ = 1;
  bool quoted_ = false;
  bool inside_ = false;
};

}  // namespace

std::optional<scenario::ScenarioError> for_rows(std::string_view text, const std::string& name,
                                                const std::function<bool(const Row&)>& on_row) {
  RowScanner scanner(text, name);
  Row row;
  while (!scanner.at_end()) {
    if (auto problem = scanner.next(row)) {
      return problem;
    }
    const bool empty = row.cells.size() == 1 && row.cells.front().text.empty();
    if (!empty && !row.cells.front().text.starts_with('#') && !on_row(row)) {
      break;
    }
  }
  return std::nullopt;
}

scenario::ScenarioError error_at(const std::string& name, const Row& row, const Cell& cell,
                                 scenario::TextProblem problem) {
  scenario::ScenarioError error;
  error.file = name;
  error.line = row.line;
  error.column = cell.column;
  error.message = std::move(problem.message);
  error.expected = std::move(problem.expected);
  error.nearest = std::move(problem.nearest);
  return error;
}

scenario::ScenarioError error_at(const std::string& name, const Row& row, std::string message,
                                 std::string expected) {
  return error_at(name, row, Cell{}, {std::move(message), std::move(expected), {}});
}

}  // namespace aftershock::sim::imports
