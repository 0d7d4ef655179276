#include "reports/render/markdown_cell.h"

#include <algorithm>

#include "reports/render/format.h"

namespace aftershock::reports {

std::string markdown_cell(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  std::string out;
  for (const char c : printable(line, true)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      if (std::string_view("\\`*_{}[]()#+!|~>@").find(c) != std::string_view::npos) {
        out += '\\';
      }
      out += c;
    }
  }
  return out;
}

}  // namespace aftershock::reports
