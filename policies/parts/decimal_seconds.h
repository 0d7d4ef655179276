#pragma once

#include <optional>
#include <string_view>

#include "policies/api/ids.h"

namespace aftershock::policies {

/// Seconds written as a decimal number ("60", "2.5", "1e3") as microseconds, exactly. None when the
/// text is not such a number, negative, not a whole number of microseconds, or too long a time.
std::optional<DurationUs> microseconds_from_seconds(std::string_view text);

/// A duration as Go's time.ParseDuration takes it ("10m0s", "1.5h", "0"), under the same limits.
std::optional<DurationUs> microseconds_from_go_duration(std::string_view text);

}  // namespace aftershock::policies
