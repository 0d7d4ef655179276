#include "gui/view/ruler.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "gui/view/time_units.h"
#include "gui/view/wall_time.h"
#include "reports/dates/date.h"

namespace aftershock::gui {
namespace {

using namespace units;
using reports::floor_div;

// Below a day; from there on 1, 2, 5, 10, ... days.
constexpr std::array<std::int64_t, 35> kSteps{
    1,        2,           5,           10,           20,           50,
    100,      200,         500,         kMs,          2 * kMs,      5 * kMs,
    10 * kMs, 20 * kMs,    50 * kMs,    100 * kMs,    200 * kMs,    500 * kMs,
    kSecond,  2 * kSecond, 5 * kSecond, 10 * kSecond, 15 * kSecond, 30 * kSecond,
    kMinute,  2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
    kHour,    2 * kHour,   3 * kHour,   6 * kHour,    12 * kHour};

// 1, 2, 5, 10, 20, 50, ...
std::int64_t next_round(std::int64_t step) {
  std::int64_t ten = 1;
  while (ten * 10 <= step) {
    ten *= 10;
  }
  return step == ten ? 2 * ten : step == 2 * ten ? 5 * ten : 10 * ten;
}

std::int64_t marks_within(std::int64_t begin, std::int64_t end, std::int64_t step) {
  return floor_div(end - 1, step) - floor_div(begin - 1, step);
}

std::int64_t first_mark(std::int64_t begin, std::int64_t step) {
  return (floor_div(begin - 1, step) + 1) * step;
}

// Thousandths behind the point, without zeros at the end: 12.25 of 12,250 and 3 digits.
std::string decimal(std::int64_t number, std::size_t digits) {
  std::int64_t one = 1;
  for (std::size_t i = 0; i < digits; ++i) {
    one *= 10;
  }
  std::string text = std::to_string(number / one);
  std::string rest = std::to_string(one + number % one).substr(1);
  rest.erase(rest.find_last_not_of('0') + 1);
  return rest.empty() ? text : text + "." + rest;
}

struct Unit {
  std::int64_t us = 0;
  const char* name = "";
};
constexpr std::array<Unit, 6> kUnits{
    {{kDay, "d"}, {kHour, "h"}, {kMinute, "min"}, {kSecond, "s"}, {kMs, "ms"}, {1, "us"}}};

// Of a time that is not negative.
std::string format_amount(std::int64_t us) {
  if (us > 0 && us < kSecond) {
    return us < kMs ? std::to_string(us) + " us" : decimal(us, 3) + " ms";
  }
  std::string text;
  for (const Unit& unit : kUnits) {
    if (unit.us == kSecond) {
      if (us > 0 || text.empty()) {
        text += (text.empty() ? "" : " ") + decimal(us, 6) + " s";
      }
      break;
    }
    if (us >= unit.us) {
      text += (text.empty() ? "" : " ") + std::to_string(us / unit.us) + " " + unit.name;
      us %= unit.us;
    }
  }
  return text;
}

// Of a minute and more, as reports have it: "2d 04:03:00.5".
std::string clock_amount(std::int64_t us) {
  const auto two = [](std::int64_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
  };
  const std::int64_t days = us / kDay;
  const std::int64_t part_us = us % kMinute;
  return (days == 0 ? "" : std::to_string(days) + "d ") + two(us % kDay / kHour) + ":" +
         two(us % kHour / kMinute) + ":" + (part_us < 10 * kSecond ? "0" : "") +
         decimal(part_us, 6);
}

// The longer unit that begins at a mark.
std::string format_smallest(std::int64_t us) {
  for (std::size_t i = kUnits.size(); i-- > 1;) {
    const std::int64_t of_unit = us % kUnits[i - 1].us / kUnits[i].us;
    if (of_unit != 0) {
      return std::to_string(of_unit) + " " + kUnits[i].name;
    }
  }
  return std::to_string(us / kDay) + " d";
}

// The context that labels with marks at this step leave out: times of two units above.
std::int64_t left_out(std::int64_t step) {
  std::size_t unit = 0;
  while (step < kUnits[unit].us) {
    ++unit;
  }
  return unit >= 2 ? kUnits[unit - 2].us : 0;
}

std::string simulated_label(std::int64_t t_us, std::int64_t step) {
  const std::int64_t us = t_us < 0 ? -t_us : t_us;
  const std::int64_t modulus = left_out(step);
  const std::string sign = t_us < 0 ? "-" : "";
  if (modulus == 0 || us < modulus) {
    return sign + format_amount(us);
  }
  return sign + (us % modulus == 0 ? format_smallest(us) : format_amount(us % modulus));
}

std::string wall_label(std::int64_t wall_us, std::int64_t step_us) {
  const std::int64_t day = floor_div(wall_us, kDay);
  const std::int64_t of_day = wall_us - day * kDay;
  if (of_day == 0) {
    return date_text(day, step_us);
  }
  const std::string text = clock_text(of_day, step_us);
  // Of parts of a second the minute is in the context.
  return step_us < kSecond && of_day % kMinute != 0 ? text.substr(6) : text;
}

// Every so many months from the year 0 on.
void add_months(const TimeRange& wall, std::int64_t months, std::int64_t start_us, Ruler& ruler) {
  const auto month_of = [](std::int64_t us) {
    const reports::Date date = reports::date_of(floor_div(us, kDay));
    return date.year * 12 + date.month - 1;
  };
  std::int64_t month = floor_div(month_of(wall.begin_us), months) * months;
  for (;; month += months) {
    const std::int64_t year = floor_div(month, 12);
    const std::int64_t us =
        reports::day_of({year, static_cast<int>(month - year * 12) + 1, 1}) * kDay;
    if (us >= wall.end_us) {
      return;
    }
    if (us >= wall.begin_us) {
      ruler.ticks.push_back({us - start_us, wall_label(us, ruler.step_us)});
    }
  }
}

std::int64_t step_below_a_day(std::int64_t begin, std::int64_t end, int most) {
  for (const std::int64_t step : kSteps) {
    if (marks_within(begin, end, step) <= most) {
      return step;
    }
  }
  return 0;
}

}  // namespace

Ruler simulated_ruler(const TimeRange& shown, int most) {
  AFTERSHOCK_ASSERT(most > 0);
  const TimeAxis valid = made_valid({shown.begin_us, shown.end_us, 1});
  Ruler ruler{
      .step_us = step_below_a_day(valid.begin_us, valid.end_us, most), .context = {}, .ticks = {}};
  if (ruler.step_us == 0) {
    std::int64_t days = 1;
    while (marks_within(valid.begin_us, valid.end_us, days * kDay) > most && days < 50'000'000) {
      days = next_round(days);
    }
    ruler.step_us = days * kDay;
  }
  for (std::int64_t t = first_mark(valid.begin_us, ruler.step_us); t < valid.end_us;
       t += ruler.step_us) {
    ruler.ticks.push_back({t, simulated_label(t, ruler.step_us)});
  }
  const std::int64_t modulus = left_out(ruler.step_us);
  if (!ruler.ticks.empty() && modulus > 0 && ruler.ticks[0].t_us >= modulus) {
    ruler.context = format_amount(ruler.ticks[0].t_us / modulus * modulus);
  }
  return ruler;
}

Ruler wall_ruler(const TimeRange& shown, std::int64_t start_us, int most) {
  AFTERSHOCK_ASSERT(most > 0);
  const TimeAxis valid = made_valid({shown.begin_us, shown.end_us, 1});
  const TimeRange wall{valid.begin_us + start_us, valid.end_us + start_us};
  Ruler ruler{
      .step_us = step_below_a_day(wall.begin_us, wall.end_us, most), .context = {}, .ticks = {}};
  // Weeks begin on Mondays; 1970-01-01 was a Thursday.
  const auto shift_of = [](std::int64_t step) { return step == 7 * kDay ? 4 * kDay : 0; };
  for (const std::int64_t days : {1, 2, 7}) {
    const std::int64_t shift = shift_of(days * kDay);
    if (ruler.step_us == 0 &&
        marks_within(wall.begin_us - shift, wall.end_us - shift, days * kDay) <= most) {
      ruler.step_us = days * kDay;
    }
  }
  if (ruler.step_us == 0) {
    // The shortest months and years are what a step is at least.
    const std::int64_t count = (wall.end_us - wall.begin_us) / (28 * kDay) + 1;
    std::int64_t months = 1;
    for (const std::int64_t wanted : {1, 3, 6}) {
      months = count / months + 1 <= most ? months : wanted;
    }
    std::int64_t years = 1;
    if (count / months + 1 > most) {
      while (count / (12 * years) + 1 > most && years < 1'000'000) {
        years = next_round(years);
      }
      months = 12 * years;
    }
    ruler.step_us = months < 12 ? months * 28 * kDay : years * 365 * kDay;
    add_months(wall, months, start_us, ruler);
    return ruler;
  }
  const std::int64_t shift = shift_of(ruler.step_us);
  for (std::int64_t us = first_mark(wall.begin_us - shift, ruler.step_us) + shift; us < wall.end_us;
       us += ruler.step_us) {
    ruler.ticks.push_back({us - start_us, wall_label(us, ruler.step_us)});
  }
  if (ruler.step_us < kDay && !ruler.ticks.empty()) {
    const std::int64_t first = ruler.ticks[0].t_us + start_us;
    ruler.context = ruler.step_us < kSecond ? format_wall(first, kMinute)
                                            : date_text(floor_div(first, kDay), kDay);
  }
  return ruler;
}

std::string format_simulated(std::int64_t t_us, std::int64_t step_us) {
  const std::int64_t t = std::clamp(t_us, -kFurthest_us, kFurthest_us);
  const std::int64_t step = std::max<std::int64_t>(step_us, 1);
  std::int64_t unit = 1;
  for (const Unit& longer : kUnits) {
    unit = longer.us <= step ? std::max(unit, longer.us) : unit;
  }
  const std::int64_t us = (t < 0 ? -t : t) / unit * unit;
  return (t < 0 && us > 0 ? "-" : "") + (us < kMinute ? format_amount(us) : clock_amount(us));
}

}  // namespace aftershock::gui
