#include "gui/view/wall_time.h"

#include <algorithm>

#include "gui/view/ruler.h"
#include "gui/view/time_units.h"
#include "reports/dates/date.h"
#include "reports/dates/read_date.h"

namespace aftershock::gui {
namespace {

using namespace units;
using reports::Clock;

std::optional<Clock> parse_clock(std::string_view& text) {
  auto clock = reports::take_hour_and_minute(text);
  if (!clock || !reports::take(text, ':')) {
    return clock;
  }
  const auto second = reports::take_number(text, 2, 59);
  const auto us = reports::take(text, '.') ? reports::take_fraction_us(text) : std::optional(0);
  if (!second || !us) {
    return std::nullopt;
  }
  clock->second = *second;
  clock->us = *us;
  return clock;
}

struct ParsedStart {
  std::int64_t local_us = 0;
  std::int64_t ahead_us = 0;  ///< of UTC
};

std::optional<ParsedStart> parsed_start(std::string_view text) {
  const auto date = reports::take_date(text);
  if (!date) {
    return std::nullopt;
  }
  const std::int64_t day_us = reports::us_of(reports::DateAndClock{*date, {}});
  if (text.empty()) {
    return ParsedStart{day_us, 0};
  }
  if (!reports::take(text, 'T') && !reports::take(text, 't') && !reports::take(text, ' ')) {
    return std::nullopt;
  }
  const auto clock = parse_clock(text);
  const auto ahead_us =
      text.empty() ? std::optional(std::int64_t{0}) : reports::zone_ahead_us(text);
  if (!clock || !ahead_us) {
    return std::nullopt;
  }
  return ParsedStart{day_us + reports::us_of(*clock), *ahead_us};
}

}  // namespace

std::string date_text(std::int64_t day, std::int64_t step_us) {
  const std::string text = reports::text_of(reports::date_of(day));
  constexpr std::size_t kPart = std::string_view("-20").size();
  const std::size_t left_out = step_us >= 365 * kDay ? 2 : step_us >= 28 * kDay ? 1 : 0;
  return text.substr(0, text.size() - left_out * kPart);
}

std::string clock_text(std::int64_t of_day_us, std::int64_t step_us) {
  const std::string text = reports::text_of(reports::moment_of(of_day_us).clock);
  const std::string_view shown = step_us >= kMinute   ? "10:00"
                                 : step_us >= kSecond ? "10:00:05"
                                 : step_us >= kMs     ? "10:00:05.250"
                                                      : "10:00:05.250000";
  return text.substr(0, shown.size());
}

std::string format_wall(std::int64_t t_us, std::int64_t step_us) {
  const std::int64_t day = reports::floor_div(t_us, kDay);
  const std::string date = date_text(day, kDay);
  return step_us >= kDay ? date : date + " " + clock_text(t_us - day * kDay, step_us);
}

std::optional<std::int64_t> parse_start(std::string_view text) {
  const auto parsed = parsed_start(text);
  return parsed ? std::optional(parsed->local_us - parsed->ahead_us) : std::nullopt;
}

std::optional<RunStart> run_start(std::string_view text) {
  const auto parsed = parsed_start(text);
  if (!parsed) {
    return std::nullopt;
  }
  const std::int64_t ahead_us = parsed->ahead_us;
  const std::string zone =
      ahead_us == 0
          ? "UTC"
          : (ahead_us < 0 ? "-" : "+") + clock_text(ahead_us < 0 ? -ahead_us : ahead_us, kMinute);
  return RunStart{parsed->local_us, zone};
}

std::string format_both(std::int64_t t_us, const std::optional<RunStart>& start,
                        std::int64_t step_us) {
  std::string text = format_simulated(t_us, step_us);
  std::int64_t wall_us = 0;
  const std::int64_t unit_us = step_us >= kMinute   ? kMinute
                               : step_us >= kSecond ? kSecond
                               : step_us >= kMs     ? kMs
                                                    : 1;
  // Cut before it is added: both are the same moment.
  if (!start || __builtin_add_overflow(start->us, t_us - t_us % unit_us, &wall_us)) {
    return text;
  }
  const bool whole = start->us % unit_us == 0;
  return text + "  (" + format_wall(wall_us, whole ? std::min(unit_us, kSecond) : 1) + " " +
         start->zone + ")";
}

}  // namespace aftershock::gui
