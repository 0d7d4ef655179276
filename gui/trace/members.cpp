#include "gui/trace/members.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace aftershock::gui {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}

/// How long the text at the beginning is, with its quotes; all of it if it does not end.
std::size_t text_length(std::string_view at) {
  for (std::size_t i = 1; i < at.size(); ++i) {
    if (at[i] == '\\') {
      ++i;
    } else if (at[i] == '"') {
      return i + 1;
    }
  }
  return at.size();
}

/// How long the value at the beginning is.
std::size_t value_length(std::string_view at) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const char c = at[i];
    if (c == '"') {
      i += text_length(at.substr(i)) - 1;
      if (depth == 0) {
        return i + 1;
      }
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth > 0) {
      if (--depth == 0) {
        return i + 1;
      }
    } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || is_blank(c))) {
      return i;
    }
  }
  return at.size();
}

std::optional<std::uint32_t> hex_of(std::string_view digits) {
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && digits.size() == 4 ? std::optional(code) : std::nullopt;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto tail = [&out, code](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3fU));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Appends what the escape at the beginning stands for; returns how long it is.
std::size_t append_escape(std::string& out, std::string_view at) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kMeant = "\b\f\n\r\t";
  if (at.size() < 2) {
    return at.size();
  }
  if (at[1] != 'u') {
    const std::size_t letter = kLetters.find(at[1]);
    out += letter == std::string_view::npos ? at[1] : kMeant[letter];
    return 2;
  }
  const auto high = hex_of(at.substr(2, 4));
  if (!high) {
    return 2;
  }
  const auto low = at.substr(6).starts_with("\\u") ? hex_of(at.substr(8, 4)) : std::nullopt;
  if (*high >= 0xd800 && *high < 0xdc00 && low && *low >= 0xdc00 && *low < 0xe000) {
    append_utf8(out, 0x10000 + ((*high - 0xd800) << 10U) + (*low - 0xdc00));
    return 12;
  }
  append_utf8(out, *high);
  return 6;
}

}  // namespace

Members::Members(std::string_view object) : left_(without_blanks(object)) {
  left_.remove_prefix(left_.empty() ? 0 : 1);
}

std::optional<Member> Members::next() {
  left_ = without_blanks(left_);
  if (left_.starts_with(',')) {
    left_ = without_blanks(left_.substr(1));
  }
  if (!left_.starts_with('"')) {
    return std::nullopt;
  }
  const std::size_t key = text_length(left_);
  Member found{left_.substr(1, key < 2 ? 0 : key - 2), {}};
  left_ = without_blanks(left_.substr(key));
  left_ = without_blanks(left_.substr(left_.starts_with(':') ? 1 : 0));
  const std::size_t value = value_length(left_);
  found.value = left_.substr(0, value);
  left_.remove_prefix(value);
  return found;
}

std::string_view member(std::string_view object, std::string_view key) {
  std::string_view found;
  Members members(object);
  while (const auto each = members.next()) {
    if (each->key == key) {
      found = each->value;
    }
  }
  return found;
}

std::optional<std::int64_t> integer_of(std::string_view value) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = error == std::errc() && end == value.data() + value.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<std::string> text_of(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') {
    return std::nullopt;
  }
  value = value.substr(1, value.size() - 2);
  std::string out;
  while (!value.empty()) {
    const std::size_t plain = std::min(value.find('\\'), value.size());
    out += value.substr(0, plain);
    value.remove_prefix(plain);
    if (!value.empty()) {
      value.remove_prefix(append_escape(out, value));
    }
  }
  return out;
}

}  // namespace aftershock::gui
