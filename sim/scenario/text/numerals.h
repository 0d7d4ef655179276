#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace aftershock::sim::scenario {

/// A number as names carry it: digits only, without leading zeros, so that each has one spelling.
constexpr std::optional<std::uint32_t> parse_index(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  if (text.empty() || text.size() > kMostDigits) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  std::uint32_t index = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    index = index * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return index;
}

}  // namespace aftershock::sim::scenario
