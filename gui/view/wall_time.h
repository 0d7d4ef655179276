#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aftershock::gui {

/// A time of the calendar: "2026-11-20 10:00:05.250000"; without what is below `step_us`.
std::string format_wall(std::int64_t t_us, std::int64_t step_us = 1);

/// Microseconds since 1970-01-01T00:00:00Z of an ISO 8601 date, with time and zone ("Z", "+08:00",
/// "+08"; without: UTC), or none if it is not one. Parts of a second beyond microseconds are cut.
std::optional<std::int64_t> parse_start(std::string_view text);

/// The start of a run on the clock of the zone that the scenario names.
struct RunStart {
  std::int64_t us = 0;  ///< see parse_start, but as that zone's clocks show it
  std::string zone;     ///< "UTC", "+08:00", "-03:30"
};
/// Of a text as parse_start reads it; none where that has none.
std::optional<RunStart> run_start(std::string_view text);

/// A time of the run and of the calendar, `t_us` into it, both cut to the same unit, that of
/// `step_us`: "1d 06:47:40  (2026-11-22 00:47:40 +08:00)"; the first alone where it has no start.
std::string format_both(std::int64_t t_us, const std::optional<RunStart>& start,
                        std::int64_t step_us);

/// A day counted from 1970-01-01 as "2026-11-20", for steps of months "2026-11", of years "2026".
std::string date_text(std::int64_t day, std::int64_t step_us);

/// A time of a day as exact as the step: "10:00", "10:00:05", "10:00:05.250", "10:00:05.250000".
std::string clock_text(std::int64_t of_day_us, std::int64_t step_us);

}  // namespace aftershock::gui
