#include "reports/dates/read_date.h"

#include "base/assert.h"

namespace aftershock::reports {
namespace {

bool begins_with_digit(std::string_view text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

int take_digit(std::string_view& text) {
  const int digit = text[0] - '0';
  text.remove_prefix(1);
  return digit;
}

}  // namespace

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

std::optional<int> take_number(std::string_view& text, std::size_t digits, int most) {
  AFTERSHOCK_ASSERT(digits > 0 && digits <= 9);
  int number = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    if (!begins_with_digit(text)) {
      return std::nullopt;
    }
    number = number * 10 + take_digit(text);
  }
  return number <= most ? std::optional(number) : std::nullopt;
}

std::optional<Date> take_date(std::string_view& text) {
  const auto year = take_number(text, 4, 9999);
  const auto month = year && take(text, '-') ? take_number(text, 2, 12) : std::nullopt;
  const auto day = month && take(text, '-') ? take_number(text, 2, 31) : std::nullopt;
  if (!day) {
    return std::nullopt;
  }
  const Date date{*year, *month, *day};
  return is_date(date) ? std::optional(date) : std::nullopt;
}

std::optional<Clock> take_hour_and_minute(std::string_view& text) {
  const auto hour = take_number(text, 2, 23);
  const auto minute = hour && take(text, ':') ? take_number(text, 2, 59) : std::nullopt;
  return minute ? std::optional(Clock{.hour = *hour, .minute = *minute}) : std::nullopt;
}

std::optional<Clock> take_clock(std::string_view& text, int most_seconds) {
  auto clock = take_hour_and_minute(text);
  const auto second = clock && take(text, ':') ? take_number(text, 2, most_seconds) : std::nullopt;
  if (!second) {
    return std::nullopt;
  }
  clock->second = *second;
  return clock;
}

std::optional<int> take_fraction_us(std::string_view& text) {
  if (!begins_with_digit(text)) {
    return std::nullopt;
  }
  int us = 0;
  for (int unit = 100'000; begins_with_digit(text); unit /= 10) {
    us += take_digit(text) * unit;
  }
  return us;
}

std::optional<std::int64_t> zone_ahead_us(std::string_view text) {
  if (text == "Z" || text == "z") {
    return 0;
  }
  const bool is_west = take(text, '-');
  if (!is_west && !take(text, '+')) {
    return std::nullopt;
  }
  const auto hours = take_number(text, 2, 23);
  take(text, ':');
  const auto minutes = hours && !text.empty() ? take_number(text, 2, 59) : std::optional(0);
  if (!hours || !minutes || !text.empty()) {
    return std::nullopt;
  }
  const std::int64_t us = us_of(Clock{.hour = *hours, .minute = *minutes});
  return is_west ? -us : us;
}

}  // namespace aftershock::reports
