#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace aftershock::policies {

/// A decimal integer and nothing else, "-1" or "8", as environments and annotations hold it. None
/// for any other text, and where it does not fit.
std::optional<std::int64_t> integer_from_text(std::string_view text);

}  // namespace aftershock::policies
