#include "sim/import/moment.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/scenario/text/error.h"

namespace aftershock::sim {

namespace {

constexpr std::int64_t kSecondUs = 1'000'000;
constexpr std::string_view kMomentForms =
    R"(a date and time by ISO 8601, such as "2026-11-20T18:00:00+08:00", seconds, or a duration such )"
    R"(as "3.9d")";
constexpr std::string_view kDateForm = "dddd-dd-ddTdd:dd:dd";

/// "2026-11-20", and dates that do not go by ISO 8601: "20/11/2026 01:12", "20.11.2026", "01:12".
bool looks_like_date(std::string_view text) {
  if (text.size() < 5 || !is_digit(text[0])) {
    return false;
  }
  const std::size_t mark = text.find_first_not_of("0123456789");
  return text[4] == '-' || text.find_first_of("/:") != text.npos ||
         (mark != text.npos && (text[mark] == '.' || text[mark] == '-') &&
          text.find(text[mark], mark + 1) != text.npos);
}

bool has_form(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) {
    return false;
  }
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool fits = form[i] == 'd'   ? is_digit(text[i])
                      : form[i] == 'T' ? text[i] == 'T' || text[i] == ' '
                                       : text[i] == form[i];
    if (!fits) {
      return false;
    }
  }
  return true;
}

int digits_at(std::string_view text, std::size_t at, std::size_t count) {
  int number = 0;
  for (const char c : text.substr(at, count)) {
    number = number * 10 + (c - '0');
  }
  return number;
}

/// Takes ".123456" off the front; what is finer than a microsecond is cut off.
std::int64_t take_fraction(std::string_view& text) {
  std::int64_t us = 0;
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !is_digit(text[1])) {
    return 0;
  }
  std::int64_t unit = kSecondUs / 10;
  for (text.remove_prefix(1); !text.empty() && is_digit(text[0]); text.remove_prefix(1)) {
    us += unit * (text[0] - '0');
    unit /= 10;
  }
  return us;
}

struct Zone {
  std::int64_t ahead_us = 0;
  bool given = false;
};

/// "Z", "+08:00", "+0800", "+08" or nothing.
std::optional<Zone> parse_zone(std::string_view text) {
  if (text.empty()) {
    return Zone{};
  }
  if (text == "Z" || text == "z") {
    return Zone{0, true};
  }
  std::string digits;
  for (const char c : text.substr(1)) {
    if (c != ':') {
      digits += c;
    }
  }
  const bool good =
      (text[0] == '+' || text[0] == '-') &&
      (has_form(text.substr(1), "dd:dd") || has_form(digits, "dddd") || has_form(digits, "dd")) &&
      (digits.size() == 4 || digits.size() == 2);
  if (!good) {
    return std::nullopt;
  }
  const int hours = digits_at(digits, 0, 2);
  const int minutes = digits.size() == 4 ? digits_at(digits, 2, 2) : 0;
  if (hours > 23 || minutes > 59) {
    return std::nullopt;
  }
  const std::int64_t us = (std::int64_t{hours} * 60 + minutes) * 60 * kSecondUs;
  return Zone{text[0] == '-' ? -us : us, true};
}

std::variant<Moment, TextProblem> parse_date(std::string_view text) {
  namespace chrono = std::chrono;
  const auto problem = [&] {
    return TextProblem{
        fmt::format("{} is not a date and time", in_quotes(text)), std::string(kMomentForms), {}};
  };
  if (!has_form(text, kDateForm)) {
    return problem();
  }
  const chrono::year_month_day day{chrono::year(digits_at(text, 0, 4)),
                                   chrono::month(static_cast<unsigned>(digits_at(text, 5, 2))),
                                   chrono::day(static_cast<unsigned>(digits_at(text, 8, 2)))};
  const int hour = digits_at(text, 11, 2);
  const int minute = digits_at(text, 14, 2);
  const int second = digits_at(text, 17, 2);
  std::string_view rest = text.substr(kDateForm.size());
  const std::int64_t fraction_us = take_fraction(rest);
  const auto zone = parse_zone(rest);
  if (!day.ok() || hour > 23 || minute > 59 || second > 60 || !zone) {
    return problem();
  }
  const std::int64_t days = chrono::sys_days(day).time_since_epoch().count();
  const std::int64_t seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
  return Moment{seconds * kSecondUs + fraction_us - zone->ahead_us, true, zone->given};
}

}  // namespace

std::variant<Moment, TextProblem> parse_moment(std::string_view text) {
  if (looks_like_date(text)) {
    return parse_date(text);
  }
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, failure] =
      std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (failure == std::errc{} && stopped == end) {
    const double us = seconds * static_cast<double>(kSecondUs);
    if (!std::isfinite(us) || us < 0 || us > static_cast<double>(kHundredYearsUs)) {
      return TextProblem{fmt::format("{} seconds are out of reach", in_quotes(text)),
                         "seconds since clock zero, at most a hundred years",
                         {}};
    }
    return Moment{std::llround(us)};
  }
  auto duration = parse_duration(text);
  if (auto* problem = std::get_if<TextProblem>(&duration)) {
    problem->expected = kMomentForms;
    return std::move(*problem);
  }
  const std::int64_t us = std::get<std::int64_t>(duration);
  if (us > kHundredYearsUs) {
    return TextProblem{
        fmt::format("{} is out of reach", in_quotes(text)), "at most a hundred years", {}};
  }
  return Moment{us};
}

std::optional<std::int64_t> zone_us(std::string_view date) {
  if (!has_form(date, kDateForm)) {
    return std::nullopt;
  }
  std::string_view rest = date.substr(kDateForm.size());
  take_fraction(rest);
  const auto zone = parse_zone(rest);
  return zone && zone->given ? std::optional(zone->ahead_us) : std::nullopt;
}

std::string date_text(std::int64_t us) {
  namespace chrono = std::chrono;
  const chrono::sys_time<chrono::seconds> now{chrono::seconds(us / kSecondUs)};
  const auto midnight = chrono::floor<chrono::days>(now);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss time(now - midnight);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string duration_text(std::int64_t us) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kUnits{{
      {"d", 86'400 * kSecondUs},
      {"h", 3'600 * kSecondUs},
      {"min", 60 * kSecondUs},
      {"s", kSecondUs},
      {"ms", 1'000},
      {"us", 1},
  }};
  if (us == 0) {
    return "0s";
  }
  // The number with the fewest digits, from 1 up, in the largest such unit.
  std::string best;
  std::size_t best_digits = 0;
  for (const auto& [name, unit] : kUnits) {
    constexpr std::int64_t kParts = 1'000'000;  // six decimals
    const std::int64_t rest = us % unit;
    __extension__ using Wide = __int128;
    const bool fine = unit < kSecondUs && us >= kSecondUs;
    if (us < unit || fine || Wide{rest} * kParts % unit != 0) {
      continue;
    }
    std::string text = fmt::format("{}", us / unit);
    if (const auto parts = static_cast<std::int64_t>(Wide{rest} * kParts / unit); parts != 0) {
      text += fmt::format(".{:06}", parts);
      text.erase(text.find_last_not_of('0') + 1);
    }
    if (best.empty() || text.size() < best_digits) {
      best_digits = text.size();
      best = text + std::string(name);
    }
  }
  return best;
}

}  // namespace aftershock::sim
