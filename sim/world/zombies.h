#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace aftershock::sim::world {

/// Workers of an attempt that has ended, which nobody could stop yet.
struct Zombies {
  std::uint32_t job = 0;
  std::uint32_t fault = 0;
  std::uint32_t node = 0;  ///< of the job's pool: that they live on
  std::int64_t accelerators = 0;
  std::int64_t since_us = 0;
  std::optional<std::int64_t> until_us;
};

/// A whole attempt whose controller has given it up and could stop none of its workers. They see
/// each other, so they train on, and save.
struct OrphanedAttempt {
  std::uint32_t job = 0;
  std::uint32_t epoch = 0;
  std::uint32_t fault = 0;
  std::vector<std::uint32_t> nodes;  ///< of the job's pool, by slot
  std::uint32_t workers = 0;
  std::int64_t began_us = 0;       ///< work that it began with
  std::int64_t work_us = 0;        ///< that its next checkpoint will hold
  std::int64_t productive_us = 0;  ///< of the job's account, that is in it
  bool gone = false;               ///< stopped, or turned away by storage
};

}  // namespace aftershock::sim::world
