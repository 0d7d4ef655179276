#include "reports/render/style.h"

#include <array>

namespace aftershock::reports {

std::string Style::paint(std::string_view text, Colour colour) const {
  static constexpr std::array<std::string_view, 6> kCodes{"", "32", "1;31", "33", "1", "2"};
  if (!color || colour == Colour::kPlain || text.empty()) {
    return std::string(text);
  }
  // A newline at the end stays outside, so that no line begins in a colour of the one above.
  const bool newline = text.ends_with('\n');
  text.remove_suffix(newline ? 1 : 0);
  std::string out = "\x1b[";
  out += kCodes[static_cast<std::size_t>(colour)];
  out += 'm';
  out += text;
  out += newline ? "\x1b[0m\n" : "\x1b[0m";
  return out;
}

}  // namespace aftershock::reports
