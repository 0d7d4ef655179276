#include "reports/render/utf8.h"

#include <algorithm>
#include <array>

#include "reports/render/format.h"

namespace aftershock::reports {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Wide and fullwidth characters (Unicode, East Asian Width), in whole blocks.
constexpr std::array<Range, 12> kWide{{{0x1100, 0x115F},
                                       {0x2E80, 0x303E},
                                       {0x3041, 0x33FF},
                                       {0x3400, 0x4DBF},
                                       {0x4E00, 0x9FFF},
                                       {0xA000, 0xA4CF},
                                       {0xAC00, 0xD7A3},
                                       {0xF900, 0xFAFF},
                                       {0xFE30, 0xFE6F},
                                       {0xFF00, 0xFF60},
                                       {0x1F300, 0x1FAFF},
                                       {0x20000, 0x3FFFD}}};
// Marks that combine with the character before them, and characters without a width.
constexpr std::array<Range, 4> kNarrow{
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

template <std::size_t N>
bool is_in(char32_t code, const std::array<Range, N>& ranges) {
  return std::ranges::any_of(
      ranges, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

unsigned unit_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

Glyph glyph_at(std::string_view text, std::size_t at) {
  Glyph glyph{text.substr(at, 1), unit_at(text, at), 1, true};
  if (glyph.code < 0x80) {
    return glyph;
  }
  const std::size_t length = glyph.code >= 0xF0 ? 4 : glyph.code >= 0xE0 ? 3 : 2;
  static constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  char32_t code = glyph.code & (0x7FU >> length);
  glyph.valid = glyph.code >= 0xC0 && glyph.code <= 0xF7 && text.size() - at >= length;
  for (std::size_t i = 1; glyph.valid && i < length; ++i) {
    glyph.valid = (unit_at(text, at + i) & 0xC0U) == 0x80U;
    code = code << 6U | (unit_at(text, at + i) & 0x3FU);
  }
  glyph.valid = glyph.valid && code >= kSmallest[length] && code <= 0x10FFFF &&
                (code < 0xD800 || code > 0xDFFF);
  if (glyph.valid) {
    glyph.bytes = text.substr(at, length);
    glyph.code = code;
    glyph.columns = is_in(code, kNarrow) ? 0 : is_in(code, kWide) ? 2 : 1;
  }
  return glyph;
}

constexpr std::array<Range, 6> kControl{{{0, 0x1F},
                                         {0x7F, 0x9F},
                                         {0x61C, 0x61C},
                                         {0x200E, 0x200F},
                                         {0x2028, 0x202E},
                                         {0x2066, 0x2069}}};

// Most texts are that alone, and come in great numbers.
bool is_plain_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

bool is_control(const Glyph& glyph) { return glyph.valid && is_in(glyph.code, kControl); }

std::vector<Glyph> glyphs(std::string_view text) {
  std::vector<Glyph> all;
  for (std::size_t at = 0; at < text.size(); at += all.back().bytes.size()) {
    all.push_back(glyph_at(text, at));
  }
  return all;
}

std::size_t display_width(std::string_view text) {
  if (is_plain_ascii(text)) {
    return text.size();
  }
  std::size_t columns = 0;
  bool colour = false;
  for (const Glyph& glyph : glyphs(text)) {
    colour = colour || glyph.code == U'\x1b';
    columns += colour ? 0 : glyph.columns;
    colour = colour && glyph.code != U'm';
  }
  return columns;
}

std::string printable(std::string_view text, bool unicode) {
  if (is_plain_ascii(text)) {
    return std::string(text);
  }
  std::string out;
  for (const Glyph& glyph : glyphs(text)) {
    if (is_control(glyph)) {
      out += '?';
    } else if (glyph.code < 0x80 || (glyph.valid && unicode)) {
      out += glyph.bytes;
    } else {
      out += unicode ? "\xEF\xBF\xBD" : "?";
    }
  }
  return out;
}

std::string shorten(std::string_view text, std::size_t columns, bool unicode) {
  const std::vector<Glyph> all = glyphs(text);
  std::size_t width = 0;
  for (const Glyph& glyph : all) {
    width += glyph.columns;
  }
  if (width <= columns) {
    return std::string(text);
  }
  const std::string_view mark = unicode ? "…" : "...";
  const std::size_t mark_columns = unicode ? 1 : 3;
  if (columns <= mark_columns) {
    return std::string(columns, '.');
  }
  const std::size_t end_columns = (columns - mark_columns) / 2;
  const std::size_t begin_columns = columns - mark_columns - end_columns;
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < all.size() && used + all[i].columns <= begin_columns; ++i) {
    out += all[i].bytes;
    used += all[i].columns;
  }
  out += mark;
  std::size_t from = all.size();
  used = 0;
  while (from > 0 && used + all[from - 1].columns <= end_columns) {
    --from;
    used += all[from].columns;
  }
  for (; from < all.size(); ++from) {
    out += all[from].bytes;
  }
  return out;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::string line(indent, ' ');
  std::size_t width = indent;
  bool line_is_empty = true;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(std::min(space + 1, text.size()));
    const std::size_t word_columns = display_width(word);
    if (!line_is_empty && width + 1 + word_columns > columns) {
      out += line;
      out += '\n';
      line.assign(indent + 2, ' ');
      width = indent + 2;
      line_is_empty = true;
    }
    if (!line_is_empty) {
      line += ' ';
      ++width;
    }
    line += word;
    width += word_columns;
    line_is_empty = false;
  }
  out += line;
  out += '\n';
  return out;
}

}  // namespace aftershock::reports
