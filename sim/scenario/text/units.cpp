#include "sim/scenario/text/units.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policies/api/config.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::scenario {
namespace {

// NOLINTNEXTLINE(modernize-use-using): GCC takes __extension__ before a typedef only.
__extension__ typedef unsigned __int128 Wide;

/// A unit: how many base units it is, and over how many it is divided (bits of a byte).
struct Unit {
  std::string_view name;
  std::uint64_t factor;
  std::uint64_t divisor = 1;
};

constexpr std::array<Unit, 6> kDurations{{{"us", 1},
                                          {"ms", 1'000},
                                          {"s", 1'000'000},
                                          {"min", 60'000'000},
                                          {"h", 3'600'000'000},
                                          {"d", 86'400'000'000}}};
constexpr std::uint64_t kKi = 1024;
constexpr std::array<Unit, 9> kSizes{{{"B", 1},
                                      {"KB", 1'000},
                                      {"MB", 1'000'000},
                                      {"GB", 1'000'000'000},
                                      {"TB", 1'000'000'000'000},
                                      {"KiB", kKi},
                                      {"MiB", kKi* kKi},
                                      {"GiB", kKi* kKi* kKi},
                                      {"TiB", kKi* kKi* kKi* kKi}}};
constexpr std::array<Unit, 14> kRates{{{"B/s", 1},
                                       {"KB/s", 1'000},
                                       {"MB/s", 1'000'000},
                                       {"GB/s", 1'000'000'000},
                                       {"TB/s", 1'000'000'000'000},
                                       {"KiB/s", kKi},
                                       {"MiB/s", kKi* kKi},
                                       {"GiB/s", kKi* kKi* kKi},
                                       {"TiB/s", kKi* kKi* kKi* kKi},
                                       {"bit/s", 1, 8},
                                       {"Kbit/s", 1'000, 8},
                                       {"Mbit/s", 1'000'000, 8},
                                       {"Gbit/s", 1'000'000'000, 8},
                                       {"Tbit/s", 1'000'000'000'000, 8}}};
constexpr std::array<Unit, 1> kPercentages{{{"%", 10'000}}};

/// Common habits of writing, where the distance between the words would not tell.
struct Habit {
  std::string_view written;
  std::string_view meant;
};
constexpr std::array<Habit, 22> kHabits{
    {{"sec", "s"},       {"secs", "s"},      {"second", "s"},    {"seconds", "s"},
     {"m", "min"},       {"mins", "min"},    {"minute", "min"},  {"minutes", "min"},
     {"hr", "h"},        {"hrs", "h"},       {"hour", "h"},      {"hours", "h"},
     {"day", "d"},       {"days", "d"},      {"msec", "ms"},     {"usec", "us"},
     {"Gbps", "Gbit/s"}, {"Kb/s", "Kbit/s"}, {"Mb/s", "Mbit/s"}, {"Gb/s", "Gbit/s"},
     {"Tb/s", "Tbit/s"}, {"GBps", "GB/s"}}};

/// A quantity: its units, and the words for errors about it.
struct Quantity {
  std::span<const Unit> units;
  std::string_view expected;
  std::string_view base;  ///< the unit of the result
};
constexpr Quantity kDuration{kDurations, R"(a duration such as "90s", "30min" or "1.5h")",
                             "microseconds"};
constexpr Quantity kSize{kSizes, R"(a size such as "512MiB" or "2TB")", "bytes"};
constexpr Quantity kRate{kRates, R"(a rate such as "50GB/s" or "400Gbit/s")", "bytes a second"};
constexpr Quantity kPercentage{kPercentages, R"(a percentage such as "50%")", "millionths"};

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

/// digits.fraction, as whole number and power of ten it is divided by.
struct Decimal {
  std::string_view digits;
  std::string_view fraction;
};

/// Takes a decimal number off the front of the text; none when it has no digits where they belong.
std::optional<Decimal> take_decimal(std::string_view& text) {
  std::string_view rest = text;
  Decimal decimal;
  decimal.digits = take_digits(rest);
  if (decimal.digits.empty()) return std::nullopt;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    decimal.fraction = take_digits(rest);
    if (decimal.fraction.empty()) return std::nullopt;
  }
  while (decimal.digits.size() > 1 && decimal.digits.front() == '0')
    decimal.digits.remove_prefix(1);
  while (decimal.fraction.ends_with('0')) decimal.fraction.remove_suffix(1);
  text = rest;
  return decimal;
}

constexpr std::size_t kMostDigits = 19;  // 10^19 < 2^64

std::uint64_t to_number(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

Wide power_of_ten(std::size_t exponent) {
  Wide power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

enum class Exactness : std::uint8_t { kExact, kTooLarge, kTooFine };

/// decimal * factor / divisor as a whole number of at most int64.
Exactness scale(const Decimal& decimal, const Unit& unit, std::int64_t& result) {
  if (decimal.digits.size() >= kMostDigits) return Exactness::kTooLarge;
  if (decimal.fraction.size() >= kMostDigits) return Exactness::kTooFine;
  const Wide power = power_of_ten(decimal.fraction.size());
  const Wide whole = Wide{to_number(decimal.digits)} * unit.factor;  // below 10^18 * 2^41
  const Wide part = Wide{to_number(decimal.fraction)} * unit.factor;
  if (part % power != 0) return Exactness::kTooFine;
  const Wide sum = whole + part / power;
  if (sum % unit.divisor != 0) return Exactness::kTooFine;
  if (sum / unit.divisor > static_cast<Wide>(std::numeric_limits<std::int64_t>::max())) {
    return Exactness::kTooLarge;
  }
  result = static_cast<std::int64_t>(sum / unit.divisor);
  return Exactness::kExact;
}

std::vector<std::string_view> names_of(std::span<const Unit> units) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) names.push_back(unit.name);
  return names;
}

std::string nearest_unit(std::string_view written, std::span<const Unit> units) {
  const auto known = [&](std::string_view name) {
    return std::any_of(units.begin(), units.end(),
                       [&](const Unit& unit) { return unit.name == name; });
  };
  for (const Habit& habit : kHabits) {
    if (habit.written == written && known(habit.meant)) return std::string(habit.meant);
  }
  if (std::string a_second = std::string(written) + "/s"; known(a_second)) return a_second;
  return std::string(policies::nearest_name(written, names_of(units)));
}

UnitResult<std::int64_t> parse(std::string_view text, const Quantity& quantity) {
  const auto problem = [&](std::string message, std::string nearest = {}) {
    return TextProblem{std::move(message), std::string(quantity.expected), std::move(nearest)};
  };
  const auto wrong_amount = [&](std::string message) {
    return TextProblem{std::move(message), std::string(quantity.expected), {}, true, true};
  };
  if (text.empty()) return problem("the text is empty");
  if (text.starts_with('-')) return problem(fmt::format("{} is negative", in_quotes(text)));
  std::string_view rest = text;
  const auto decimal = take_decimal(rest);
  if (!decimal) return problem(fmt::format("{} does not begin with a number", in_quotes(text)));
  if (rest.empty()) return problem(fmt::format("{} has no unit", in_quotes(text)));
  if (rest.starts_with(' ')) {
    return problem(fmt::format("{} has a blank before its unit", in_quotes(text)));
  }
  const auto unit = std::find_if(quantity.units.begin(), quantity.units.end(),
                                 [&](const Unit& known) { return known.name == rest; });
  if (unit == quantity.units.end()) {
    return TextProblem{fmt::format("unknown unit {} in {}", in_quotes(rest), in_quotes(text)),
                       fmt::format("{}; the units are {}", quantity.expected,
                                   fmt::join(names_of(quantity.units), ", ")),
                       nearest_unit(rest, quantity.units)};
  }
  std::int64_t result = 0;
  switch (scale(*decimal, *unit, result)) {
    case Exactness::kTooLarge:
      return wrong_amount(fmt::format("{} is too large", in_quotes(text)));
    case Exactness::kTooFine:
      return wrong_amount(
          fmt::format("{} is not a whole number of {}", in_quotes(text), quantity.base));
    case Exactness::kExact:
      break;
  }
  return result;
}

std::string pattern_of(std::span<const Unit> units) {
  return fmt::format(R"(^[0-9]+(\.[0-9]+)?({})$)", fmt::join(names_of(units), "|"));
}

}  // namespace

bool is_digit(char c) { return c >= '0' && c <= '9'; }

UnitResult<std::int64_t> parse_duration(std::string_view text) { return parse(text, kDuration); }
UnitResult<std::int64_t> parse_size(std::string_view text) { return parse(text, kSize); }
UnitResult<std::int64_t> parse_rate(std::string_view text) { return parse(text, kRate); }

UnitResult<std::int64_t> parse_percentage(std::string_view text) {
  auto result = parse(text, kPercentage);
  if (const auto* ppm = std::get_if<std::int64_t>(&result); ppm != nullptr && *ppm > 1'000'000) {
    return TextProblem{
        fmt::format("{} is more than the whole", in_quotes(text)), "at most 100%", {}, true, true};
  }
  return result;
}

UnitResult<StochasticSource> parse_failure_rate(std::string_view text) {
  const auto problem = [](std::string message, std::string_view nearest = {}) {
    return TextProblem{std::move(message),
                       R"(a failure rate such as "3.79/1000 node-days" or "0.1/pool-day")",
                       std::string(nearest)};
  };
  const auto wrong_amount = [&problem](std::string message) {
    TextProblem wrong = problem(std::move(message));
    wrong.form_is_right = true;
    wrong.beyond_pattern = true;
    return wrong;
  };
  constexpr std::array<std::string_view, 4> kUnits{"node", "accelerator", "job", "pool"};
  std::string_view rest = text;
  const auto count = take_decimal(rest);
  if (!count) return problem(fmt::format("{} does not begin with a number", in_quotes(text)));
  if (!rest.starts_with('/')) {
    return problem(fmt::format("{} has no \"/\" after the number", in_quotes(text)));
  }
  rest.remove_prefix(1);
  std::uint64_t per = 1;
  std::string_view too_large;
  if (!rest.empty() && is_digit(rest.front())) {
    const std::string_view digits = take_digits(rest);
    constexpr std::size_t kMost = 12;
    too_large = digits.size() > kMost ? digits : "";
    per = too_large.empty() ? to_number(digits) : 1;
    if (rest.empty()) return problem(fmt::format("{} names no unit", in_quotes(text)));
    if (!rest.starts_with(' ')) {
      return problem(fmt::format("{} has no blank after \"/{}\"", in_quotes(text), digits));
    }
    rest.remove_prefix(1);
  }
  const auto dash = rest.find('-');
  const std::string_view unit = rest.substr(0, dash);
  const std::string_view time = dash == std::string_view::npos ? "" : rest.substr(dash + 1);
  const auto found = std::find(kUnits.begin(), kUnits.end(), unit);
  if (found == kUnits.end()) {
    return problem(fmt::format("unknown unit {} in {}", in_quotes(unit), in_quotes(text)),
                   policies::nearest_name(unit, kUnits));
  }
  const bool days = time == "day" || time == "days";
  if (!days && time != "hour" && time != "hours") {
    constexpr std::array<std::string_view, 4> kTimes{"day", "days", "hour", "hours"};
    return problem(fmt::format("unknown time {} in {}", in_quotes(time), in_quotes(text)),
                   policies::nearest_name(time, kTimes));
  }
  // From here on the form is right.
  if (!too_large.empty()) return wrong_amount(fmt::format("{} is too large", in_quotes(too_large)));
  constexpr std::size_t kMostTogether = 18;
  if (count->digits.size() + count->fraction.size() > kMostTogether) {
    return wrong_amount(fmt::format("{} has too many digits", in_quotes(text)));
  }
  const Wide power = power_of_ten(count->fraction.size());
  const Wide numerator = Wide{to_number(count->digits)} * power + to_number(count->fraction);
  if (numerator == 0) return problem(fmt::format("{} is not above zero", in_quotes(text)));
  if (per == 0) return wrong_amount(fmt::format("{} divides by zero", in_quotes(text)));
  // At most 10^12 * 10^18 * 2^37: each of the three steps rounds once, and none overflows.
  const Wide unit_us = days ? 86'400'000'000U : 3'600'000'000U;
  return StochasticSource{.mean_gap_us = static_cast<double>(Wide{per} * unit_us) *
                                         static_cast<double>(power) /
                                         static_cast<double>(numerator),
                          .per = static_cast<RatePer>(found - kUnits.begin())};
}

std::string duration_pattern() { return pattern_of(kDurations); }
std::string size_pattern() { return pattern_of(kSizes); }
std::string rate_pattern() { return pattern_of(kRates); }
std::string percentage_pattern() { return pattern_of(kPercentages); }
std::string failure_rate_pattern() {
  return R"(^[0-9]+(\.[0-9]+)?/([0-9]+ )?(node|accelerator|job|pool)-(days?|hours?)$)";
}

std::string format_duration(std::int64_t us) {
  if (us < 0) {
    if (us == std::numeric_limits<std::int64_t>::min()) ++us;  // it has no positive counterpart
    return "-" + format_duration(-us);
  }
  if (us == 0) return "0s";
  const auto trimmed = [](std::int64_t whole, std::int64_t part, int digits) {
    std::string text = fmt::format("{}.{:0{}}", whole, part, digits);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
  };
  constexpr std::int64_t kMs = 1'000;
  constexpr std::int64_t kSecond = 1'000'000;
  constexpr std::int64_t kMinute = 60 * kSecond;
  constexpr std::int64_t kHour = 60 * kMinute;
  constexpr std::int64_t kDay = 24 * kHour;
  if (us < kMs) return fmt::format("{}us", us);
  if (us < kSecond) return trimmed(us / kMs, us % kMs, 3) + "ms";
  if (us < kMinute) return trimmed(us / kSecond, us % kSecond, 6) + "s";
  std::string text;
  if (us >= kDay) text = fmt::format("{}d ", us / kDay);
  text += fmt::format("{:02}:{:02}:{:02}", us % kDay / kHour, us % kHour / kMinute,
                      us % kMinute / kSecond);
  const std::int64_t fraction = us % kSecond;
  if (fraction % kMs != 0) {
    text += fmt::format(".{:06}", fraction);
  } else if (fraction != 0) {
    text += fmt::format(".{:03}", fraction / kMs);
  }
  return text;
}

}  // namespace aftershock::sim::scenario
