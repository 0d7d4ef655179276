#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim {

/// Workers of an attempt that has ended, which nobody could stop yet.
struct Zombies {
  std::uint32_t job = 0;
  std::uint32_t fault = 0;
  std::int64_t accelerators = 0;
  std::int64_t since_us = 0;
  std::optional<std::int64_t> until_us;
};

}  // namespace aftershock::sim
