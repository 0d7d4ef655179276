#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sim/scenario/text/units.h"

namespace aftershock::sim::imports {

/// When something happened, as files write it.
struct Moment {
  std::int64_t us = 0;
  bool dated = false;  ///< `us` is since 1970 UTC; else since a clock zero
  bool zoned = true;   ///< false: a date without its zone, taken as UTC
};

/// "2026-11-20T18:00:00.5+08:00", the zone and parts of a second optional, a blank in place of the
/// T allowed; "12.5", seconds; "3.9d", a duration. At most a hundred years.
std::variant<Moment, scenario::TextProblem> parse_moment(std::string_view text);

/// The zone of a date, as far ahead of UTC as its clocks are; none without a zone.
std::optional<std::int64_t> zone_us(std::string_view date);

/// "2026-11-20T18:00:00Z" of whole seconds since 1970.
std::string date_text(std::int64_t us);

/// A length of time as scenarios write it, exactly and in few digits: "3.8955d", "30min".
std::string duration_text(std::int64_t us);

}  // namespace aftershock::sim::imports
