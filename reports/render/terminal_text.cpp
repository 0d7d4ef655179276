#include "reports/render/terminal_text.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "reports/render/utf8.h"

namespace aftershock::reports {

namespace {

constexpr std::string_view kInvalidBytes = "\xEF\xBF\xBD";

// Most texts are, and need not be looked at glyph by glyph.
bool is_harmless(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

/// The length of a colour at the beginning of the text, as Style paints it; 0: there is none.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) {
    return 0;
  }
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string out;
  for (const Glyph& glyph : glyphs(text)) {
    out += is_control(glyph) ? " " : glyph.valid ? glyph.bytes : kInvalidBytes;
  }
  const std::size_t begins = out.find_first_not_of(' ');
  if (begins != std::string::npos && std::string_view(out).substr(begins).starts_with("::")) {
    out[begins] = '?';
  }
  return out;
}

namespace {

void add_printed(std::string& out, std::string_view text) {
  std::size_t colour_left = 0;
  std::size_t at = 0;
  for (const Glyph& glyph : glyphs(text)) {
    colour_left = std::max(colour_left, colour_length(text.substr(at)));
    const bool stays = colour_left > 0 || glyph.bytes == "\n" || glyph.bytes == "\t";
    out += stays               ? glyph.bytes
           : is_control(glyph) ? "?"
           : glyph.valid       ? glyph.bytes
                               : kInvalidBytes;
    colour_left -= colour_left > 0 ? 1 : 0;
    at += glyph.bytes.size();
  }
}

}  // namespace

// Line by line: a colour ends in the line in which it begins, and most lines have nothing to mend.
std::string printed_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    const std::string_view line = text.substr(0, length);
    if (is_harmless(line)) {
      out += line;
    } else {
      add_printed(out, line);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string printed_json(std::string_view json) {
  if (is_harmless(json)) {
    return std::string(json);
  }
  std::string out;
  for (const Glyph& glyph : glyphs(json)) {
    // Outside of strings there are no others than line ends.
    if (is_control(glyph) && glyph.bytes != "\n") {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(glyph.code));
    } else {
      out += glyph.valid ? glyph.bytes : kInvalidBytes;
    }
  }
  return out;
}

}  // namespace aftershock::reports
