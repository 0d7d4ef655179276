#include "sim/import/sniff.h"

#include <algorithm>
#include <vector>

#include "sim/import/rows.h"

namespace aftershock::sim::imports {

namespace {

bool has_cell(const Row& row, std::string_view text) {
  return std::ranges::find(row.cells, text, &Cell::text) != row.cells.end();
}

}  // namespace

std::string_view sniff_format(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == text.npos) {
    return {};
  }
  if (text[first] == '[') {
    return "infinitehbd";
  }
  std::string_view format;
  for_rows(text, "", [&](const Row& row) {
    const std::string& cell = row.cells.front().text;
    const bool three = row.cells.size() == 3;
    if (has_cell(row, "time") && has_cell(row, "kind") && has_cell(row, "target")) {
      format = "incident";
    } else if (has_cell(row, "node") && has_cell(row, "down")) {
      format = "csv";
    } else if (three && (row.cells[1].text == "add" || row.cells[1].text == "remove")) {
      format = "bamboo";
    } else if (three && cell.size() == 10 && cell[4] == '-') {
      format = "bamboo";
    }
    return false;
  });
  return format;
}

}  // namespace aftershock::sim::imports
