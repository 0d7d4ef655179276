#include "gui/view/wall_time.h"

#include "gui/view/calendar.h"
#include "gui/view/time_units.h"

namespace aftershock::gui {
namespace {

using namespace units;

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  return std::string(text.size() < digits ? digits - text.size() : 0, '0') + text;
}

// Two digits, or so many; the text moves on behind them.
std::optional<int> digits(std::string_view& text, std::size_t count = 2) {
  int number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') {
      return std::nullopt;
    }
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool skip(std::string_view& text, char c) {
  if (!text.starts_with(c)) {
    return false;
  }
  text.remove_prefix(1);
  return true;
}

std::optional<std::int64_t> parse_clock(std::string_view& text) {
  const auto hour = digits(text);
  const auto minute = hour && skip(text, ':') ? digits(text) : std::nullopt;
  if (!minute || *hour > 23 || *minute > 59) {
    return std::nullopt;
  }
  std::int64_t us = *hour * kHour + *minute * kMinute;
  if (skip(text, ':')) {
    const auto second = digits(text);
    if (!second || *second > 59) {
      return std::nullopt;
    }
    us += *second * kSecond;
    if (skip(text, '.')) {
      std::int64_t unit = kSecond / 10;
      if (text.empty() || text[0] < '0' || text[0] > '9') {
        return std::nullopt;
      }
      for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1)) {
        us += (text[0] - '0') * unit;
        unit /= 10;
      }
    }
  }
  return us;
}

std::optional<std::int64_t> parse_zone(std::string_view text) {
  if (text.empty() || text == "Z" || text == "z") {
    return 0;
  }
  const bool is_west = text[0] == '-';
  if (!is_west && text[0] != '+') {
    return std::nullopt;
  }
  text.remove_prefix(1);
  const auto hours = digits(text);
  if (!hours || *hours > 23) {
    return std::nullopt;
  }
  skip(text, ':');
  const auto minutes = text.empty() ? 0 : digits(text);
  if (!minutes || *minutes > 59 || !text.empty()) {
    return std::nullopt;
  }
  const std::int64_t us = *hours * kHour + *minutes * kMinute;
  return is_west ? -us : us;
}

}  // namespace

std::string date_text(std::int64_t day, std::int64_t step_us) {
  const Date date = date_of(day);
  const std::string year = date.year < 0 ? "-" + padded(-date.year, 4) : padded(date.year, 4);
  if (step_us >= 365 * kDay) {
    return year;
  }
  const std::string month = year + "-" + padded(date.month, 2);
  return step_us >= 28 * kDay ? month : month + "-" + padded(date.day, 2);
}

std::string clock_text(std::int64_t of_day_us, std::int64_t step_us) {
  std::string text = padded(of_day_us / kHour, 2) + ":" + padded(of_day_us % kHour / kMinute, 2);
  if (step_us >= kMinute) {
    return text;
  }
  text += ":" + padded(of_day_us % kMinute / kSecond, 2);
  if (step_us >= kSecond) {
    return text;
  }
  const std::string rest = padded(of_day_us % kSecond, 6);
  return text + "." + rest.substr(0, step_us >= kMs ? 3 : 6);
}

std::string format_wall(std::int64_t t_us, std::int64_t step_us) {
  const std::int64_t day = floor_div(t_us, kDay);
  const std::string date = date_text(day, kDay);
  return step_us >= kDay ? date : date + " " + clock_text(t_us - day * kDay, step_us);
}

std::optional<std::int64_t> parse_start(std::string_view text) {
  const auto year = digits(text, 4);
  const auto month = year && skip(text, '-') ? digits(text) : std::nullopt;
  const auto day = month && skip(text, '-') ? digits(text) : std::nullopt;
  if (!day) {
    return std::nullopt;
  }
  const Date date{*year, *month, *day};
  if (*month < 1 || *month > 12 || !(date_of(day_of(date)) == date)) {
    return std::nullopt;
  }
  std::int64_t us = day_of(date) * kDay;
  if (text.empty()) {
    return us;
  }
  if (!skip(text, 'T') && !skip(text, 't') && !skip(text, ' ')) {
    return std::nullopt;
  }
  const auto of_day = parse_clock(text);
  const auto zone = of_day ? parse_zone(text) : std::nullopt;
  if (!zone) {
    return std::nullopt;
  }
  us += *of_day;
  return us - *zone;
}

}  // namespace aftershock::gui
