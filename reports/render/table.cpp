#include "reports/render/table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "reports/render/format.h"
#include "reports/render/markdown_cell.h"

namespace aftershock::reports {

namespace {

constexpr std::size_t kGap = 2;

std::size_t whole_width(const std::vector<std::size_t>& widths) {
  std::size_t total = 0;
  for (const std::size_t width : widths) {
    total += width == 0 ? 0 : width + kGap;
  }
  return total == 0 ? 0 : total - kGap;
}

/// "A" to "Z", "AA", "AB", ...
std::string letters(std::size_t place) {
  constexpr std::size_t kAlphabet = 26;
  std::string text(1, static_cast<char>('A' + place % kAlphabet));
  return place < kAlphabet ? text : letters(place / kAlphabet - 1) + text;
}

}  // namespace

void Table::row(std::vector<std::string> cells, Colour colour) {
  AFTERSHOCK_ASSERT(cells.size() == columns_.size());
  rows_.push_back({std::move(cells), colour, {}});
}

void Table::note(std::string text) {
  AFTERSHOCK_ASSERT(!rows_.empty());
  rows_.back().note = std::move(text);
}

bool Table::is_label(std::size_t row, std::size_t column) const {
  const Labels labels = columns_[column].labels;
  return row == 0 ? labels == Labels::kHeading : labels == Labels::kRows;
}

std::vector<std::size_t> Table::natural_widths() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
    }
  }
  return widths;
}

std::size_t Table::width() const { return whole_width(natural_widths()); }

std::vector<std::size_t> Table::widths(std::size_t room) const {
  std::vector<std::size_t> widths = natural_widths();
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (columns_[i].may_go && whole_width(widths) > room) {
      widths[i] = 0;
    }
  }
  // The last column has no gap behind it.
  for (std::size_t total = whole_width(widths); total > room; --total) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::size_t least = columns_[i].elastic ? columns_[i].columns_min : widths[i];
      if (widths[i] > least && (widest == nullptr || widths[i] > *widest)) {
        widest = &widths[i];
      }
    }
    if (widest == nullptr) {
      break;
    }
    --*widest;
  }
  return widths;
}

void Table::share_beginning(std::size_t column) {
  if (rows_.size() < 3 || columns_[column].labels != Labels::kRows) {
    return;
  }
  std::string_view shared = rows_[1].cells[column];
  for (std::size_t row = 2; row < rows_.size(); ++row) {
    const std::string_view cell = rows_[row].cells[column];
    const auto differ = std::ranges::mismatch(shared, cell).in1;
    shared = shared.substr(0, static_cast<std::size_t>(differ - shared.begin()));
  }
  const std::size_t value = shared.rfind('=') + 1;  // 0 where there is none
  if (value == 0) {
    return;
  }
  rows_[0].cells[column] = shared.substr(0, value - 1);
  for (std::size_t row = 1; row < rows_.size(); ++row) {
    rows_[row].cells[column].erase(0, value);
  }
}

std::vector<std::string> Table::take_labels() {
  const auto is_long = [&](std::size_t column) {
    std::size_t widest = 0;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      widest =
          std::max(widest, is_label(row, column) ? display_width(rows_[row].cells[column]) : 0);
    }
    return widest > columns_[column].columns_min;
  };
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t rows = is_long(i) ? rows_.size() : 0;
    for (std::size_t row = 0; row < rows; ++row) {
      std::string& cell = rows_[row].cells[i];
      const bool stays = columns_[i].elastic && display_width(cell) <= columns_[i].columns_min;
      if (!is_label(row, i) || cell.empty() || stays) {
        continue;
      }
      auto known = std::ranges::find(labels, cell);
      if (known == labels.end()) {
        known = labels.insert(known, cell);
      }
      cell = letters(static_cast<std::size_t>(known - labels.begin()));
    }
  }
  return labels;
}

std::string Table::text(const Style& style, std::size_t indent) const {
  const auto fits = [&](const Table& table) { return table.width() + indent <= style.width; };
  if (fits(*this)) {
    return lines(style, indent);
  }
  Table shorter = *this;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    shorter.share_beginning(i);
  }
  const std::vector<std::string> labels =
      fits(shorter) ? std::vector<std::string>() : shorter.take_labels();
  std::string out = shorter.lines(style, indent);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    out += wrapped(letters(i) + ": " + labels[i], indent, style.width);
  }
  return out;
}

std::string Table::markdown() const {
  if (rows_.empty()) {
    return {};
  }
  const bool noted = std::ranges::any_of(rows_, [](const Row& row) { return !row.note.empty(); });
  const auto line_of = [noted](const Row& row, std::string_view last) {
    std::string line = "|";
    for (const std::string& cell : row.cells) {
      line += " " + markdown_cell(cell) + " |";
    }
    return noted ? line + " " + markdown_cell(last) + " |\n" : line + "\n";
  };
  std::string out = line_of(rows_.front(), "notes") + "|";
  for (const Column& column : columns_) {
    out += column.align == Align::kRight ? " ---: |" : " --- |";
  }
  out += noted ? " --- |\n" : "\n";
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    out += line_of(rows_[i], rows_[i].note);
  }
  return out;
}

std::string Table::lines(const Style& style, std::size_t indent) const {
  const std::vector<std::size_t> wide = widths(style.width > indent ? style.width - indent : 0);
  std::string out;
  for (const Row& row : rows_) {
    std::string line;
    std::size_t pending = 0;  // spaces that a later cell, if there is one, makes necessary
    for (std::size_t i = 0; i < wide.size(); ++i) {
      if (wide[i] == 0) {
        continue;
      }
      const std::string cell = shorten(row.cells[i], wide[i], style.unicode);
      const std::size_t spare = wide[i] - std::min(wide[i], display_width(cell));
      const bool right = columns_[i].align == Align::kRight;
      if (!cell.empty()) {
        line.append(pending + (right ? spare : 0), ' ');
        line += cell;
        pending = right ? kGap : spare + kGap;
      } else {
        pending += spare + kGap;
      }
    }
    out.append(indent, ' ');
    out += style.paint(line, row.colour);
    out += '\n';
    if (!row.note.empty()) {
      out += style.paint(wrapped(row.note, indent + 4, style.width), Colour::kFaint);
    }
  }
  return out;
}

}  // namespace aftershock::reports
