#include "reports/json/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include <nlohmann/json.hpp>

#include "reports/json/json_as_text.h"

namespace aftershock::reports {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kLongestInteger = 20;

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

std::string escape_of(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  return {'\\', 'u', '0', '0', kHexDigits[code >> 4U], kHexDigits[code & 0xFU]};
}

constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (unsigned code = 0x20; code < 0x7F; ++code) {
    plain[code] = code != '"' && code != '\\';
  }
  return plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x80 && !is_plain(c); }

}  // namespace

void JsonWriter::integer(std::int64_t number) {
  separate();
  char* at = room(kLongestInteger);
  written_up_to(std::to_chars(at, at + kLongestInteger, number).ptr);
  comma_ = true;
}

void JsonWriter::unsigned_integer(std::uint64_t number) {
  separate();
  char* at = room(kLongestInteger);
  written_up_to(std::to_chars(at, at + kLongestInteger, number).ptr);
  comma_ = true;
}

void JsonWriter::value(double number) { raw(text_from_json(nlohmann::json(number))); }

void JsonWriter::string(std::string_view text) {
  if (std::ranges::all_of(text, is_plain)) {
    word(text);
    return;
  }
  separate();
  append("\"");
  escaped(text);
  append("\"");
  comma_ = true;
}

void JsonWriter::escaped(std::string_view text) {
  std::size_t plain_from = 0;
  std::size_t at = 0;
  const auto put = [&](std::string_view instead) {
    append(text.substr(plain_from, at - plain_from));
    append(instead);
    plain_from = ++at;
  };
  while (at < text.size()) {
    if (needs_escape(text[at])) {
      put(escape_of(text[at]));
    } else if (const std::size_t length = utf8_length(text, at); length > 0) {
      at += length;
    } else {
      put(kReplacement);
    }
  }
  append(text.substr(plain_from));
}

}  // namespace aftershock::reports
