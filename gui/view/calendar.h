#pragma once

#include <cstdint>

namespace aftershock::gui {

/// A day of the Gregorian calendar, reckoned backwards beyond its introduction.
struct Date {
  std::int64_t year = 1970;
  int month = 1;  ///< 1 .. 12
  int day = 1;    ///< 1 .. 31

  friend bool operator==(const Date&, const Date&) = default;
};

/// The date of a day, counted from 1970-01-01.
Date date_of(std::int64_t day);
/// The day of a date, counted from 1970-01-01; months beyond 12 run on into years.
std::int64_t day_of(const Date& date);

/// The quotient rounded down, for times before the start, too.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

}  // namespace aftershock::gui
