#include "gui/compare/short_summary.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace aftershock::gui {

namespace {

constexpr std::array<std::string_view, 7> kLongLists{"recoveries", "charges",     "trials",  "pods",
                                                     "rules",      "driver_runs", "restores"};

/// Behind the text that begins here with its quote.
std::size_t behind_text(std::string_view json, std::size_t at) {
  for (++at; at < json.size(); ++at) {
    if (json[at] == '\\') {
      ++at;
    } else if (json[at] == '"') {
      return at + 1;
    }
  }
  return json.size();
}

/// Behind the list that begins here with its bracket.
std::size_t behind_list(std::string_view json, std::size_t at) {
  std::size_t depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = behind_text(json, at);
      continue;
    }
    ++at;
    if (c == '[') {
      ++depth;
    } else if (c == ']' && --depth == 0) {
      return at;
    }
  }
  return at;
}

}  // namespace

std::string without_long_lists(std::string_view json) {
  std::string out;
  std::size_t at = 0;
  while (at < json.size()) {
    if (json[at] != '"') {
      out += json[at++];
      continue;
    }
    const std::size_t end = behind_text(json, at);
    const std::string_view text = json.substr(at, end - at);
    out += text;
    at = end;
    if (text.size() > 2 && json.substr(at, 2) == ":[" &&
        std::ranges::find(kLongLists, text.substr(1, text.size() - 2)) != kLongLists.end()) {
      out += ":[]";
      at = behind_list(json, at + 1);
    }
  }
  return out;
}

}  // namespace aftershock::gui
