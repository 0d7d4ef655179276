#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reports/dates/date.h"

// Parts of what ISO 8601 writes. Readers differ in what they let be missing, so that each puts the
// parts together itself. Each part is taken off the front of the text; of a part that is not there
// how much is taken does not matter, since nobody reads on.
namespace aftershock::reports {

/// One character, if it is there.
bool take(std::string_view& text, char c);

/// A number of so many digits, up to 9 of them, that is at most `most`.
std::optional<int> take_number(std::string_view& text, std::size_t digits, int most);

/// "2026-11-20", if the calendar has the day.
std::optional<Date> take_date(std::string_view& text);

/// "18:00", to "23:59".
std::optional<Clock> take_hour_and_minute(std::string_view& text);

/// "18:00:05"; with 60 in place of 59 a leap second is let in.
std::optional<Clock> take_clock(std::string_view& text, int most_seconds = 59);

/// Microseconds of the digits behind a point; what is finer is cut. None without a digit.
std::optional<int> take_fraction_us(std::string_view& text);

/// How far ahead of UTC a zone is, all of the text being one: "Z", "+08:00", "-0330" or "+08".
std::optional<std::int64_t> zone_ahead_us(std::string_view text);

}  // namespace aftershock::reports
