#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace aftershock::gui {

/// A time as it is typed: "2d4h", "90 s", "1.5h"; microseconds of the run. None for anything else.
std::optional<std::int64_t> typed_time_us(std::string_view text);

}  // namespace aftershock::gui
