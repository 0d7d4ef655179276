#pragma once

#include <cstdint>
#include <string>

#include "base/assert.h"

namespace aftershock::reports {

/// A day of the Gregorian calendar, reckoned backwards beyond its introduction.
struct Date {
  std::int64_t year = 1970;
  int month = 1;  ///< 1 .. 12
  int day = 1;    ///< 1 .. 31

  friend bool operator==(const Date&, const Date&) = default;
};

/// Where a day is; no day has a leap second.
struct Clock {
  int hour = 0;
  int minute = 0;
  int second = 0;
  int us = 0;

  friend bool operator==(const Clock&, const Clock&) = default;
};

/// Whether the calendar has such a day.
bool is_date(const Date& date);

/// The date of a day, counted from 1970-01-01.
Date date_of(std::int64_t day);
/// The day of a date that the calendar has, counted from 1970-01-01.
std::int64_t day_of(const Date& date);

/// The quotient rounded down, for times before the start, too; `b` is above 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  AFTERSHOCK_ASSERT(b > 0);
  return a / b - (a % b < 0 ? 1 : 0);
}

/// A moment, UTC or in the zone that the caller means.
struct DateAndClock {
  Date date;
  Clock clock;

  friend bool operator==(const DateAndClock&, const DateAndClock&) = default;
};

/// The date and clock of microseconds since 1970-01-01T00:00:00.
DateAndClock moment_of(std::int64_t us);
/// Microseconds since 1970-01-01T00:00:00; a second of 60 is the first of the next minute.
std::int64_t us_of(const DateAndClock& moment);
/// Microseconds since midnight.
std::int64_t us_of(const Clock& clock);

/// The date as ISO 8601 writes it, "2026-11-20"; of years before 0 "-0001-12-31".
std::string text_of(const Date& date);
/// The clock likewise, "18:00:05.250000".
std::string text_of(const Clock& clock);

}  // namespace aftershock::reports
