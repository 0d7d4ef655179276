#pragma once

#include <cstdint>

// Lengths of time as tests write them, in microseconds.
namespace aftershock {

inline constexpr std::int64_t kSecond = 1'000'000;
inline constexpr std::int64_t kMinute = 60 * kSecond;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kDay = 24 * kHour;

}  // namespace aftershock
