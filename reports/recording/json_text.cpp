#include "reports/recording/json_text.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace aftershock::reports {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// The length of the UTF-8 sequence at `at`, or 0 if there is none: overlong forms, surrogates and
/// code points beyond U+10FFFF are none (Unicode, table 3-7).
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  std::size_t length = 0;
  unsigned second_min = 0x80;
  unsigned second_max = 0xBF;
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    second_min = first == 0xE0 ? 0xA0 : second_min;
    second_max = first == 0xED ? 0x9F : second_max;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    second_min = first == 0xF0 ? 0x90 : second_min;
    second_max = first == 0xF4 ? 0x8F : second_max;
  } else {
    return 0;
  }
  if (text.size() - at < length) {
    return 0;
  }
  const unsigned second = byte_at(text, at + 1);
  if (second < second_min || second > second_max) {
    return 0;
  }
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) {
      return 0;
    }
  }
  return length;
}

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      const auto code = static_cast<unsigned char>(c);
      out += "\\u00";
      out += kHexDigits[code >> 4U];
      out += kHexDigits[code & 0xFU];
  }
}

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == '\x7F';
}

template <typename Integer>
void append_number(std::string& out, Integer value) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void append_integer(std::string& out, std::int64_t value) { append_number(out, value); }

void append_unsigned(std::string& out, std::uint64_t value) { append_number(out, value); }

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  // Whole stretches of plain characters at once: nearly every text is one stretch.
  std::size_t plain_from = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (needs_escape(c)) {
      out.append(text, plain_from, at - plain_from);
      append_escape(out, c);
      plain_from = ++at;
      continue;
    }
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      out.append(text, plain_from, at - plain_from);
      out += kReplacement;
      plain_from = ++at;
      continue;
    }
    at += length;
  }
  out.append(text, plain_from, text.size() - plain_from);
  out += '"';
}

std::string hex16(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4U) {
    text[i] = kHexDigits[value & 0xFU];
  }
  return text;
}

}  // namespace aftershock::reports
