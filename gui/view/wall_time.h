#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aftershock::gui {

/// A time of the calendar, UTC: "2026-11-20 10:00:05.250000"; without what is below `step_us`.
std::string format_wall(std::int64_t t_us, std::int64_t step_us = 1);

/// Microseconds since 1970-01-01T00:00:00Z of an ISO 8601 date, with time and zone ("Z", "+08:00",
/// "+08"; without: UTC), or none if it is not one. Parts of a second beyond microseconds are cut.
std::optional<std::int64_t> parse_start(std::string_view text);

/// A day counted from 1970-01-01 as "2026-11-20", for steps of months "2026-11", of years "2026".
std::string date_text(std::int64_t day, std::int64_t step_us);

/// A time of a day as exact as the step: "10:00", "10:00:05", "10:00:05.250", "10:00:05.250000".
std::string clock_text(std::int64_t of_day_us, std::int64_t step_us);

}  // namespace aftershock::gui
