#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace aftershock::reports {

/// One code point of a text.
struct Glyph {
  std::string_view bytes;
  char32_t code = 0;
  std::size_t columns = 1;  ///< on a terminal
  bool valid = true;        ///< false: one byte that is not UTF-8
};

/// The code points of a text in order; what is not UTF-8 comes byte by byte.
std::vector<Glyph> glyphs(std::string_view text);

/// C0, DEL and C1, line separators, and what turns the direction of text around: a terminal would
/// obey it.
bool is_control(const Glyph& glyph);

}  // namespace aftershock::reports
