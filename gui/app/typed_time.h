#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aftershock::gui {

/// A time as it is typed: "2d4h", "90 s", "1.5h"; microseconds of the run. None for anything else.
std::optional<std::int64_t> typed_time_us(std::string_view text);

/// The same, or with a "-" in front: the edge of a view may lie before the start of the run.
std::optional<std::int64_t> signed_time_us(std::string_view text);

/// The other way, exact: "2d4h3min12s500ms"; "0s" for the start, and "-" before what lies before
/// it.
std::string typed_text(std::int64_t t_us);

}  // namespace aftershock::gui
