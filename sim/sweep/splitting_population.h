#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/sweep/splitting_levels.h"
#include "sim/world/world.h"

namespace aftershock::sim {

/// What one level took in one repetition.
struct LevelTally {
  double reached = 0;  ///< estimate of the probability to come here
  std::int64_t worlds = 0;
  std::int64_t copies = 0;
  std::int64_t entries = 0;
  std::int64_t simulated_us = 0;
};

/// One independent estimate.
struct Repetition {
  std::vector<LevelTally> levels;  ///< as many as there are, unless it failed
  std::string failed;              ///< why it is none; empty: it is one
};

/// Sends `effort` copies of a world that has not begun through the levels of a job. `number` tells
/// repetitions apart: its futures are those of no other. `go_on` is asked after every level.
Repetition run_repetition(const World& begin, std::uint32_t job, const std::vector<Level>& levels,
                          std::uint32_t effort, std::uint32_t number,
                          const std::function<bool()>& go_on);

}  // namespace aftershock::sim
