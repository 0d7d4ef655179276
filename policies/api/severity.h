#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "policies/api/fields.h"

namespace aftershock::policies {

/// How grave a device fault is for the job that runs, in the words of Ascend's health management:
/// ModelArts ignores hints, heals what is minor or major in place, and isolates what is critical.
enum class Severity : std::uint8_t { kHint, kMinor, kMajor, kCritical };
template <>
struct EnumNames<Severity> {
  static constexpr std::array<std::string_view, 4> kNames{"hint", "minor", "major", "critical"};
};

}  // namespace aftershock::policies
