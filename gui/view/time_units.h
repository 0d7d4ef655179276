#pragma once

#include <cstdint>

// Units of time in microseconds.
namespace aftershock::gui::units {

inline constexpr std::int64_t kMs = 1'000;
inline constexpr std::int64_t kSecond = 1'000'000;
inline constexpr std::int64_t kMinute = 60 * kSecond;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kDay = 24 * kHour;

}  // namespace aftershock::gui::units
