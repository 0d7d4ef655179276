#include "gui/view/calendar.h"

namespace aftershock::gui {
namespace {

// The calendar repeats every 400 years. Years that begin in March have the leap day at their end.
constexpr std::int64_t kDaysOf400Years = 146'097;
constexpr std::int64_t kDaysToMarch0000 = 719'468;

}  // namespace

Date date_of(std::int64_t day) {
  const std::int64_t since = day + kDaysToMarch0000;
  const std::int64_t era = floor_div(since, kDaysOf400Years);
  const std::int64_t of_era = since - era * kDaysOf400Years;
  const std::int64_t year_of_era =
      (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * of_year + 2) / 153;
  const auto day_of_month = static_cast<int>(of_year - (153 * month + 2) / 5 + 1);
  const auto civil = static_cast<int>(month < 10 ? month + 3 : month - 9);
  return {year_of_era + era * 400 + (civil <= 2 ? 1 : 0), civil, day_of_month};
}

std::int64_t day_of(const Date& date) {
  const std::int64_t months = date.month - 1;
  const std::int64_t month = months - floor_div(months, 12) * 12 + 1;
  const std::int64_t year = date.year + floor_div(months, 12) - (month <= 2 ? 1 : 0);
  const std::int64_t era = floor_div(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  const std::int64_t of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
  return era * kDaysOf400Years + of_era - kDaysToMarch0000;
}

}  // namespace aftershock::gui
