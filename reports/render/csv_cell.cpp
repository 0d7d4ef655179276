#include "reports/render/csv_cell.h"

#include "reports/render/terminal_text.h"

namespace aftershock::reports {

std::string csv_cell(std::string_view text) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  std::string cell;
  if (!text.empty() && kFormula.find(text.front()) != std::string_view::npos) {
    cell = '\'';
  }
  cell += one_line(text);
  if (cell.find_first_of(",\"") == std::string::npos) {
    return cell;
  }
  std::string quoted = "\"";
  for (const char each : cell) {
    quoted += each;
    if (each == '"') {
      quoted += each;
    }
  }
  return quoted + '"';
}

}  // namespace aftershock::reports
