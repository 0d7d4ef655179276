#include "sim/import/moment.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "reports/dates/date.h"
#include "reports/dates/read_date.h"
#include "sim/scenario/text/error.h"

namespace aftershock::sim::imports {

namespace {

constexpr std::int64_t kSecondUs = 1'000'000;
constexpr std::string_view kMomentForms =
    R"(a date and time by ISO 8601, such as "2026-11-20T18:00:00+08:00", seconds, or a duration such )"
    R"(as "3.9d")";

/// "2026-11-20", and dates that do not go by ISO 8601: "20/11/2026 01:12", "20.11.2026", "01:12".
bool looks_like_date(std::string_view text) {
  if (text.size() < 5 || !scenario::is_digit(text[0])) {
    return false;
  }
  const std::size_t mark = text.find_first_not_of("0123456789");
  return text[4] == '-' || text.find_first_of("/:") != text.npos ||
         (mark != text.npos && (text[mark] == '.' || text[mark] == '-') &&
          text.find(text[mark], mark + 1) != text.npos);
}

/// A date and its clock, and how far ahead of UTC they are; none without a zone.
struct Dated {
  reports::DateAndClock moment;
  std::optional<std::int64_t> ahead_us{};
};

std::optional<Dated> read_date(std::string_view text) {
  const auto date = reports::take_date(text);
  if (!date || (!reports::take(text, 'T') && !reports::take(text, ' '))) {
    return std::nullopt;
  }
  auto clock = reports::take_clock(text, 60);
  if (clock && (reports::take(text, '.') || reports::take(text, ','))) {
    const auto us = reports::take_fraction_us(text);
    if (!us) {
      return std::nullopt;
    }
    clock->us = *us;
  }
  const auto ahead_us = text.empty() ? std::nullopt : reports::zone_ahead_us(text);
  if (!clock || (!text.empty() && !ahead_us)) {
    return std::nullopt;
  }
  return Dated{{*date, *clock}, ahead_us};
}

}  // namespace

std::variant<Moment, scenario::TextProblem> parse_moment(std::string_view text) {
  if (looks_like_date(text)) {
    const auto read = read_date(text);
    if (!read) {
      return scenario::TextProblem{
          fmt::format("{} is not a date and time", scenario::in_quotes(text)),
          std::string(kMomentForms),
          {}};
    }
    return Moment{reports::us_of(read->moment) - read->ahead_us.value_or(0), true,
                  read->ahead_us.has_value()};
  }
  double seconds = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, failure] =
      std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (failure == std::errc{} && stopped == end) {
    const double us = seconds * static_cast<double>(kSecondUs);
    if (!std::isfinite(us) || us < 0 || us > static_cast<double>(scenario::kHundredYearsUs)) {
      return scenario::TextProblem{
          fmt::format("{} seconds are out of reach", scenario::in_quotes(text)),
          "seconds since clock zero, at most a hundred years",
          {}};
    }
    return Moment{std::llround(us)};
  }
  auto duration = scenario::parse_duration(text);
  if (auto* problem = std::get_if<scenario::TextProblem>(&duration)) {
    problem->expected = kMomentForms;
    return std::move(*problem);
  }
  const std::int64_t us = std::get<std::int64_t>(duration);
  if (us > scenario::kHundredYearsUs) {
    return scenario::TextProblem{fmt::format("{} is out of reach", scenario::in_quotes(text)),
                                 "at most a hundred years",
                                 {}};
  }
  return Moment{us};
}

std::optional<std::int64_t> zone_us(std::string_view date) {
  const auto read = read_date(date);
  return read ? read->ahead_us : std::nullopt;
}

std::string date_text(std::int64_t us) {
  const auto [date, clock] = reports::moment_of(us / kSecondUs * kSecondUs);
  constexpr std::size_t kToSeconds = std::string_view("18:00:00").size();
  return reports::text_of(date) + "T" + reports::text_of(clock).substr(0, kToSeconds) + "Z";
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

}  // namespace aftershock::sim::imports
