#include <algorithm>

#include <fmt/format.h>

#include "reports/render/format.h"
#include "reports/render/utf8.h"

namespace aftershock::reports {
namespace {

bool is_plain(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=:@,+%").find(c) != std::string_view::npos;
  });
}

/// Characters that a terminal would obey or garble.
bool cannot_be_shown(const Glyph& glyph) { return !glyph.valid || is_control(glyph); }

}  // namespace

std::string shell_word(std::string_view word) {
  if (is_plain(word)) {
    return std::string(word);
  }
  const std::vector<Glyph> all = glyphs(word);
  if (std::ranges::none_of(all, cannot_be_shown)) {
    std::string quoted = "'";
    for (const char c : word) {
      quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
  }
  std::string quoted = "$'";
  for (const Glyph& glyph : all) {
    if (cannot_be_shown(glyph)) {
      for (const char c : glyph.bytes) {
        quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
      }
    } else {
      quoted += glyph.code == '\'' || glyph.code == '\\' ? "\\" : "";
      quoted += glyph.bytes;
    }
  }
  return quoted + "'";
}

std::string shell_path(std::string_view path) {
  const bool flag = path.starts_with('-') && path != "-";  // which is standard input
  return shell_word(flag ? "./" + std::string(path) : std::string(path));
}

}  // namespace aftershock::reports
