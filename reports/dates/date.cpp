#include "reports/dates/date.h"

#include <chrono>

#include <fmt/format.h>

#include "base/assert.h"

namespace aftershock::reports {
namespace {

namespace chrono = std::chrono;

// The calendar repeats every 400 years, and std::chrono knows those of 16 bits: what it is asked
// lies between 1600 and 1999, and years are counted beyond.
constexpr std::int64_t kDaysOf400Years = 146'097;
constexpr std::int64_t kYears = 400;
constexpr std::int64_t kFirstYear = 1600;
constexpr std::int64_t kFirstDay =
    chrono::sys_days(chrono::year(kFirstYear) / chrono::January / 1).time_since_epoch().count();

constexpr std::int64_t kSecondUs = 1'000'000;
constexpr std::int64_t kMinuteUs = 60 * kSecondUs;
constexpr std::int64_t kHourUs = 60 * kMinuteUs;
constexpr std::int64_t kDayUs = 24 * kHourUs;

std::int64_t cycle_of(const Date& date) { return floor_div(date.year - kFirstYear, kYears); }

chrono::year_month_day in_first_cycle(const Date& date) {
  return {chrono::year(static_cast<int>(date.year - cycle_of(date) * kYears)),
          chrono::month(static_cast<unsigned>(date.month)),
          chrono::day(static_cast<unsigned>(date.day))};
}

}  // namespace

bool is_date(const Date& date) {
  // std::chrono keeps eight bits of each: others would wrap.
  return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= 31 &&
         in_first_cycle(date).ok();
}

Date date_of(std::int64_t day) {
  const std::int64_t cycle = floor_div(day - kFirstDay, kDaysOf400Years);
  const chrono::year_month_day date{chrono::sys_days(chrono::days(day - cycle * kDaysOf400Years))};
  return {int{date.year()} + cycle * kYears, static_cast<int>(unsigned{date.month()}),
          static_cast<int>(unsigned{date.day()})};
}

std::int64_t day_of(const Date& date) {
  AFTERSHOCK_ASSERT(is_date(date));
  return chrono::sys_days(in_first_cycle(date)).time_since_epoch().count() +
         cycle_of(date) * kDaysOf400Years;
}

DateAndClock moment_of(std::int64_t us) {
  // The first day that 64 bits reach begins before them: the rest is never reckoned from its start.
  const std::int64_t rest = (us % kDayUs + kDayUs) % kDayUs;
  return {date_of(floor_div(us, kDayUs)),
          {static_cast<int>(rest / kHourUs), static_cast<int>(rest % kHourUs / kMinuteUs),
           static_cast<int>(rest % kMinuteUs / kSecondUs), static_cast<int>(rest % kSecondUs)}};
}

std::int64_t us_of(const DateAndClock& moment) {
  const std::int64_t day = day_of(moment.date);
  const std::int64_t clock_us = us_of(moment.clock);
  return day < 0 ? (day + 1) * kDayUs + (clock_us - kDayUs) : day * kDayUs + clock_us;
}

std::int64_t us_of(const Clock& clock) {
  AFTERSHOCK_ASSERT(clock.hour >= 0 && clock.hour < 24 && clock.minute >= 0 && clock.minute < 60);
  AFTERSHOCK_ASSERT(clock.second >= 0 && clock.second <= 60 && clock.us >= 0 &&
                    clock.us < kSecondUs);
  return clock.hour * kHourUs + clock.minute * kMinuteUs + clock.second * kSecondUs + clock.us;
}

std::string text_of(const Date& date) {
  const bool before = date.year < 0;
  return fmt::format("{}{:04}-{:02}-{:02}", before ? "-" : "", before ? -date.year : date.year,
                     date.month, date.day);
}

std::string text_of(const Clock& clock) {
  return fmt::format("{:02}:{:02}:{:02}.{:06}", clock.hour, clock.minute, clock.second, clock.us);
}

}  // namespace aftershock::reports
