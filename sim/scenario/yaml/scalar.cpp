#include "sim/scenario/yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {
namespace {

constexpr auto kNulls = std::to_array<std::string_view>({"", "~", "null", "Null", "NULL"});
constexpr auto kTruths = std::to_array<std::string_view>(
    {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"});
constexpr auto kUntruths = std::to_array<std::string_view>(
    {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"});
constexpr auto kNotFinite =
    std::to_array<std::string_view>({".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf",
                                     "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"});

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::find(words, text) != words.end();
}

/// The base of the digits, which lose its prefix.
int take_base(std::string_view& digits) {
  if (digits.size() < 2 || digits.front() != '0') return 10;
  const char letter = digits[1];
  const int base = letter == 'x' || letter == 'X'   ? 16
                   : letter == 'o' || letter == 'O' ? 8
                   : letter == 'b' || letter == 'B' ? 2
                                                    : 0;
  digits.remove_prefix(base == 0 ? 1 : 2);
  return base == 0 ? 8 : base;
}

/// A whole number of either sign.
struct Whole {
  bool negative = false;
  std::uint64_t amount = 0;
  bool too_large = false;
};

std::optional<Whole> whole_number(std::string_view text) {
  Whole whole;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    whole.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const int base = take_base(text);
  const auto [end, problem] =
      std::from_chars(text.data(), text.data() + text.size(), whole.amount, base);
  if (text.empty() || end != text.data() + text.size() || problem == std::errc::invalid_argument) {
    return std::nullopt;
  }
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 63U;
  whole.too_large =
      problem == std::errc::result_out_of_range || (whole.negative && whole.amount > kLeast);
  return whole;
}

/// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_float(std::string_view text) {
  const auto take_digits = [&text] {
    const auto end = std::ranges::find_if_not(text, is_digit);
    const auto count = static_cast<std::size_t>(end - text.begin());
    text.remove_prefix(count);
    return count;
  };
  const auto take_one_of = [&text](std::string_view letters) {
    const bool found = !text.empty() && letters.find(text.front()) != letters.npos;
    text.remove_prefix(found ? 1 : 0);
    return found;
  };
  take_one_of("-+");
  const std::size_t before = take_digits();
  const bool point = take_one_of(".");
  const std::size_t after = point ? take_digits() : 0;
  if (before + after == 0) return false;
  if (take_one_of("eE")) {
    take_one_of("-+");
    if (take_digits() == 0) return false;
  }
  return text.empty();
}

UnitResult<YamlScalar> not_held(std::string_view text) {
  return TextProblem{fmt::format("the number {} is out of range", in_quotes(text)),
                     "a number of at most 64 bits, or text in quotes",
                     {}};
}

/// A whole number stays whole in JSON, however it was written.
UnitResult<YamlScalar> float_of(std::string_view text, std::string_view digits) {
  if (digits.front() == '+') digits.remove_prefix(1);
  double value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc{} || end != digits.data() + digits.size()) return not_held(text);
  constexpr double kExact = 9007199254740992;  // 2^53
  if (std::abs(value) <= kExact && value == std::trunc(value)) {
    return YamlScalar{static_cast<std::int64_t>(value)};
  }
  return YamlScalar{value};
}

}  // namespace

UnitResult<YamlScalar> plain_scalar(std::string_view text) {
  if (is_one_of(text, kNulls)) return YamlScalar{nullptr};
  if (is_one_of(text, kTruths)) return YamlScalar{true};
  if (is_one_of(text, kUntruths)) return YamlScalar{false};
  if (is_one_of(text, kNotFinite)) {
    return TextProblem{fmt::format("{} is not a number of JSON", in_quotes(text)),
                       "a finite number, or text in quotes",
                       {}};
  }
  const char first = text.front();
  if (first == '.') {
    return looks_like_float(text) ? float_of(text, text) : YamlScalar{std::string(text)};
  }
  if (!is_digit(first) && first != '-' && first != '+') return YamlScalar{std::string(text)};
  std::string digits(text);
  std::erase(digits, '_');
  const auto whole = whole_number(digits);
  if (whole && !whole->too_large) {
    if (whole->negative) return YamlScalar{static_cast<std::int64_t>(0 - whole->amount)};
    return std::in_range<std::int64_t>(whole->amount)
               ? YamlScalar{static_cast<std::int64_t>(whole->amount)}
               : YamlScalar{whole->amount};
  }
  if (whole) return not_held(text);
  return looks_like_float(digits) ? float_of(text, digits) : YamlScalar{std::string(text)};
}

}  // namespace aftershock::sim::scenario
