#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::workload {

/// How far a job's training has come, in microseconds of work at its full size.
struct Training {
  std::int64_t work_us = 0;           ///< up to the begin of the open segment
  std::int64_t began_us = 0;          ///< work that the attempt's script began with
  std::int64_t work_remainder = 0;    ///< of the next microsecond, in parts of its pace
  std::int64_t slow_ppm = 1'000'000;  ///< how many times as long a step takes: its slowest worker
  std::uint32_t slow_fault = 0;       ///< where that is more than once: what slows it
  std::int64_t slow_remainder = 0;    ///< of the next microsecond that is not lost by it
  std::int64_t segment_begin_us = 0;  ///< where stage is kTraining
  std::int64_t anchor_work_us = 0;    ///< checkpoint intervals count from here
  std::int64_t high_water_us = 0;
  /// The work at which the script returns, as it was told that a node of its will go.
  std::optional<std::int64_t> leaves_at_us{};
  bool ending = false;  ///< the last step is done
  bool catching_up = false;
};

}  // namespace aftershock::sim::workload
