#include "reports/results/shell_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace aftershock::reports {

namespace {

bool needs_no_quotes(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view(" _-./=:@,+%").find(c) != std::string_view::npos;
}

bool is_control_byte(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

}  // namespace

bool are_shell_words(std::string_view text) {
  if (std::ranges::any_of(text, is_control_byte)) {
    return false;
  }
  enum class Within : std::uint8_t { kNothing, kQuotes, kEscapes } within = Within::kNothing;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    const bool quote = rest.front() == '\'';
    std::size_t length = 1;
    switch (within) {
      case Within::kQuotes:
        within = quote ? Within::kNothing : within;
        break;
      case Within::kEscapes:
        length = rest.front() == '\\' ? 2 : 1;
        within = quote ? Within::kNothing : within;
        break;
      case Within::kNothing:
        if (quote) {
          within = Within::kQuotes;
        } else if (rest.starts_with("$'")) {
          within = Within::kEscapes;
          length = 2;
        } else if (rest.starts_with("\\'")) {
          length = 2;
        } else if (!needs_no_quotes(rest.front())) {
          return false;
        }
        break;
    }
    at += length;
  }
  return within == Within::kNothing;
}

}  // namespace aftershock::reports
