#include "reports/render/table.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "reports/render/format.h"

namespace aftershock::reports {

namespace {

constexpr std::size_t kGap = 2;

}  // namespace

void Table::row(std::vector<std::string> cells, Colour colour) {
  if (cells.size() != columns_.size()) {
    throw std::logic_error("table: a row with another number of cells");
  }
  rows_.push_back({std::move(cells), colour, {}});
}

void Table::note(std::string text) { rows_.back().note = std::move(text); }

std::size_t Table::least_width(std::size_t column, bool unicode) const {
  std::size_t width = columns_[column].columns_min;
  if (!columns_[column].distinct) {
    return width;
  }
  std::set<std::string_view> cells;
  for (const Row& row : rows_) {
    cells.insert(row.cells[column]);
  }
  const auto alike = [&] {
    std::set<std::string> shown;
    for (const std::string_view cell : cells) {
      shown.insert(shorten(cell, width, unicode));
    }
    return shown.size() < cells.size();
  };
  while (alike()) {
    ++width;
  }
  return width;
}

std::vector<std::size_t> Table::widths(std::size_t room, bool unicode) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
    }
  }
  std::size_t total = 0;
  for (const std::size_t width : widths) {
    total += width == 0 ? 0 : width + kGap;
  }
  std::vector<std::size_t> least(columns_.size(), 0);
  for (std::size_t i = 0; i < least.size() && total > room + kGap; ++i) {
    least[i] = columns_[i].elastic ? least_width(i, unicode) : widths[i];
  }
  // The last column has no gap behind it.
  for (; total > room + kGap; --total) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == nullptr || widths[i] > *widest)) {
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

std::string Table::text(const Style& style, std::size_t indent) const {
  const std::vector<std::size_t> wide =
      widths(style.width > indent ? style.width - indent : 0, style.unicode);
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
