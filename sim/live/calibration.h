#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sim/live/live_run.h"

namespace aftershock::sim::live {

/// Lengths that one live run without faults and one with them had, for a scenario to have.
struct Calibration {
  /// The start of a job, and of a restart; the time before the first attempt is launching, too.
  struct Start {
    std::int64_t launching_us = 0;
    std::int64_t rendezvous_us = 0;
    std::int64_t restoring_us = 0;
    std::int64_t warming_up_us = 0;
  };
  Start first;
  std::optional<Start> restart;                 ///< none: there was none
  std::optional<std::int64_t> tearing_down_us;  ///< of the restart
  std::optional<std::int64_t> undetected_us;    ///< from the fault to the decision
  std::optional<std::int64_t> finalizing_us;
  std::int64_t step_us = 0;      ///< productive time by steps
  std::int64_t blocking_us = 0;  ///< of a checkpoint
};

/// A run that is over: the phases that it was in, the steps it did and the checkpoints it took.
struct Measured {
  std::span<const LiveRun::Stay> stays;
  std::int64_t steps = 0;
  std::int64_t checkpoints = 0;
};

/// The lengths of the two runs.
Calibration calibrate(const Measured& calm, const Measured& struck);

/// A JSON Merge Patch for the first job, in the scenario's own words; the time to the decision,
/// which a scenario does not say, is a comment below it.
std::string patch_text(const Calibration& calibration);

}  // namespace aftershock::sim::live
