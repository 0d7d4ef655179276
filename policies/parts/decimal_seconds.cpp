#include "policies/parts/decimal_seconds.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

namespace aftershock::policies {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The digits of a number without its point, and the power of ten that goes with them.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
  constexpr std::size_t kLongest = 64;  // keeps the exponent far from overflow
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  if (text.empty() || text.size() > kLongest) {
    return std::nullopt;
  }
  Decimal decimal;
  std::size_t at = 0;
  bool fraction = false;
  for (; at < text.size(); ++at) {
    if (is_digit(text[at])) {
      decimal.digits += text[at];
      decimal.exponent -= fraction ? 1 : 0;
    } else if (text[at] == '.' && !fraction) {
      fraction = true;
    } else {
      break;
    }
  }
  if (decimal.digits.empty()) {
    return std::nullopt;
  }
  if (at == text.size()) {
    return decimal;
  }
  if (text[at] != 'e' && text[at] != 'E') {
    return std::nullopt;
  }
  std::string_view tail = text.substr(at + 1);
  if (tail.starts_with('+') && tail.size() > 1 && is_digit(tail[1])) {
    tail.remove_prefix(1);
  }
  int exponent = 0;
  const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), exponent);
  constexpr int kLargest = 1000;
  if (error != std::errc() || end != tail.data() + tail.size() || exponent > kLargest ||
      exponent < -kLargest) {
    return std::nullopt;
  }
  decimal.exponent += exponent;
  return decimal;
}

/// Microseconds of a unit; none: there is no such unit.
std::optional<DurationUs> unit_us(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, DurationUs>, 6> kUnits{{{"h", 3600 * kSecondUs},
                                                                           {"m", 60 * kSecondUs},
                                                                           {"s", kSecondUs},
                                                                           {"ms", 1000},
                                                                           {"us", 1},
                                                                           {"\u00b5s", 1}}};
  const auto* const found =
      std::ranges::find(kUnits, unit, &std::pair<std::string_view, DurationUs>::first);
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::optional<DurationUs> microseconds_from_seconds(std::string_view text) {
  constexpr int kMicrosecondDigits = 6;
  constexpr int kMostDigits = 18;  // every number of so many digits fits into 63 bits
  auto decimal = parse_decimal(trimmed(text));
  if (!decimal) {
    return std::nullopt;
  }
  std::string& digits = decimal->digits;
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) {
    return 0;
  }
  int zeros = decimal->exponent + kMicrosecondDigits;
  for (; zeros < 0; ++zeros) {
    if (digits.back() != '0') {
      return std::nullopt;
    }
    digits.pop_back();
  }
  if (static_cast<int>(digits.size()) + zeros > kMostDigits) {
    return std::nullopt;
  }
  digits.append(static_cast<std::size_t>(zeros), '0');
  DurationUs value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::optional<DurationUs> microseconds_from_go_duration(std::string_view text) {
  constexpr std::string_view kNumber = "0123456789.";
  constexpr DurationUs kMost = std::numeric_limits<DurationUs>::max();
  if (text == "0") {
    return 0;
  }
  if (text.empty()) {
    return std::nullopt;
  }
  DurationUs sum = 0;
  while (!text.empty()) {
    const std::size_t number_end = std::min(text.find_first_not_of(kNumber), text.size());
    const std::size_t unit_end = std::min(text.find_first_of(kNumber, number_end), text.size());
    const auto unit = unit_us(text.substr(number_end, unit_end - number_end));
    // As if of seconds: the number of millionths, of which the unit makes so many microseconds.
    const auto millionths = microseconds_from_seconds(text.substr(0, number_end));
    if (!unit || !millionths || *millionths > kMost / *unit) {
      return std::nullopt;
    }
    const DurationUs product = *millionths * *unit;
    if (product % kSecondUs != 0 || product / kSecondUs > kMost - sum) {
      return std::nullopt;
    }
    sum += product / kSecondUs;
    text.remove_prefix(unit_end);
  }
  return sum;
}

}  // namespace aftershock::policies
