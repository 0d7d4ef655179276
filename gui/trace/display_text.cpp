#include "gui/trace/display_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace aftershock::gui {

namespace {

struct CodePoint {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// The one at the beginning of a text that is not empty; not valid: one byte that begins none.
CodePoint first_of(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return {lead, 1, true};
  }
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) {
    return {lead, 1, false};
  }
  char32_t code = lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) {
      return {lead, 1, false};
    }
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  const bool good = code >= kLeast[length] && code <= 0x10ffff && !surrogate;
  return good ? CodePoint{code, length, true} : CodePoint{lead, 1, false};
}

/// Controls, and what is invisible or turns the direction of what stands beside it.
bool is_hidden(char32_t code) {
  constexpr struct {
    char32_t first;
    char32_t last;
  } kHidden[] = {{0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                 {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                 {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xfffb}, {0xe0000, 0xe0fff}};
  return std::ranges::any_of(
      kHidden, [code](const auto& range) { return code >= range.first && code <= range.last; });
}

}  // namespace

std::string display_text(std::string_view bytes, std::size_t max_glyphs) {
  constexpr std::string_view kEllipsis = "\xe2\x80\xa6";
  std::string out;
  std::size_t shown = 0;
  std::size_t room_for_ellipsis = 0;  // where it would go
  while (!bytes.empty()) {
    const CodePoint next = first_of(bytes);
    std::string piece(bytes.substr(0, next.bytes));
    std::size_t glyphs = 1;
    if (!next.valid || is_hidden(next.code)) {
      piece = !next.valid || next.code < 0x80
                  ? fmt::format("\\x{:02x}", static_cast<std::uint32_t>(next.code))
                  : fmt::format("\\u{:04x}", static_cast<std::uint32_t>(next.code));
      glyphs = piece.size();
    }
    if (shown + glyphs > max_glyphs) {
      out.resize(room_for_ellipsis);
      return max_glyphs == 0 ? "" : out.append(kEllipsis);
    }
    out += piece;
    shown += glyphs;
    if (shown < max_glyphs) {
      room_for_ellipsis = out.size();
    }
    bytes.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace aftershock::gui
