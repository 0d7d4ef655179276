#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/scenario/scenario.h"

// The units of scenario.md decision 8. A quantity is written as a decimal number and a unit without
// a blank; it is turned into a whole number of the smallest unit exactly, or it is an error.
namespace aftershock::sim::scenario {

/// The error in a text, without where it stands.
struct TextProblem {
  std::string message;
  std::string expected;
  std::string nearest;
  bool form_is_right = false;   ///< only the amount is wrong
  bool beyond_pattern = false;  ///< the pattern accepts the text: it cannot compute
};

/// The value, or what is wrong with the text.
template <class T>
using UnitResult = std::variant<T, TextProblem>;

/// No duration in a scenario is longer, so that sums of them stay far from overflow.
inline constexpr std::int64_t kHundredYearsUs = std::int64_t{36'525} * 86'400 * 1'000'000;

/// "90s", "1.5h", "250ms": microseconds.
UnitResult<std::int64_t> parse_duration(std::string_view text);
/// "2TB", "512MiB": bytes.
UnitResult<std::int64_t> parse_size(std::string_view text);
/// "50GB/s", "400Gbit/s": bytes a second.
UnitResult<std::int64_t> parse_rate(std::string_view text);
/// "50%", "12.5%": parts per million, at most 100 %.
UnitResult<std::int64_t> parse_percentage(std::string_view text);
/// "3.79/1000 node-days", "0.1/pool-day".
UnitResult<StochasticSource> parse_failure_rate(std::string_view text);

/// 0 to 9, whatever the locale.
bool is_digit(char c);

/// Regular expressions (ECMA) that accept what the functions above accept, but for the range.
std::string duration_pattern();
std::string size_pattern();
std::string rate_pattern();
std::string percentage_pattern();
std::string failure_rate_pattern();

/// A length of time for people: "12.5s", "03:12:07", "2d 03:12:07.250". Nothing is rounded.
std::string format_duration(std::int64_t us);

}  // namespace aftershock::sim::scenario
