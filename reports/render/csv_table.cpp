#include "reports/render/csv_table.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "reports/json/json_as_text.h"
#include "reports/render/csv_cell.h"

namespace aftershock::reports {
namespace {

using Out = nlohmann::ordered_json;
using Cells = std::vector<std::pair<std::string, std::string>>;  // names and values

std::string plain_text(const Out& value) {
  return value.is_string() ? value.get<std::string>() : text_from_json(value);
}

/// A number keeps its sign, which in a text would begin a formula.
std::string cell_of(const Out& value) {
  if (!value.is_array()) {
    return value.is_string() ? csv_cell(plain_text(value)) : plain_text(value);
  }
  std::string words;
  for (const Out& each : value) {
    words += (words.empty() ? "" : " ") + plain_text(each);
  }
  return csv_cell(words);
}

void add_cells(const Out& object, const std::string& before, Cells& cells) {
  for (const auto& [key, value] : object.items()) {
    const bool objects = value.is_array() && std::ranges::any_of(value, &Out::is_structured);
    if (value.is_object()) {
      add_cells(value, before + key + ".", cells);
    } else if (!objects) {
      cells.emplace_back(before + key, value.is_null() ? std::string() : cell_of(value));
    }
  }
}

void end_line(std::string& text, std::string line) {
  line.pop_back();  // the last comma
  text += line + "\r\n";
}

}  // namespace

std::string csv_table(const Out& rows) {
  AFTERSHOCK_ASSERT(rows.is_array());
  std::vector<Cells> lines;
  std::vector<std::string> names;
  for (const Out& row : rows) {
    add_cells(row, "", lines.emplace_back());
    for (const auto& [name, value] : lines.back()) {
      // A member that one row has as an object is null in another.
      const bool nested = std::ranges::any_of(
          names, [&](const std::string& known) { return known.starts_with(name + "."); });
      if (!nested && std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  std::erase_if(names, [&names](const std::string& name) {
    return std::ranges::any_of(
        names, [&](const std::string& other) { return other.starts_with(name + "."); });
  });
  if (names.empty()) {
    return {};
  }
  std::string text;
  std::string head;
  for (const std::string& name : names) {
    head += csv_cell(name) + ",";
  }
  end_line(text, std::move(head));
  for (const Cells& cells : lines) {
    std::string line;
    for (const std::string& name : names) {
      const auto found = std::ranges::find(cells, name, &Cells::value_type::first);
      line += (found == cells.end() ? "" : found->second) + ",";
    }
    end_line(text, std::move(line));
  }
  return text;
}

}  // namespace aftershock::reports
