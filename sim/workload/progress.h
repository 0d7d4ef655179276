#pragma once

#include <cstdint>

#include "base/assert.h"

namespace aftershock::sim::workload {

/// How fast a job advances against its full size: in proportion to its workers, as of data-parallel
/// training that keeps its global batch.
struct Pace {
  std::int64_t workers = 1;
  std::int64_t of = 1;  ///< the full size
};

/// A slowness of 1, in millionths.
inline constexpr std::int64_t kAsFast = 1'000'000;

/// The pace of workers one of which takes `slow_ppm` millionths of the others' time for a step, on
/// which all wait.
constexpr Pace slowed(Pace pace, std::int64_t slow_ppm) {
  return slow_ppm == kAsFast ? pace : Pace{pace.workers * kAsFast, pace.of * slow_ppm};
}

/// Work done, and the part of the next microsecond of it, in 1/`of`.
struct Advance {
  std::int64_t work_us = 0;
  std::int64_t remainder = 0;
};

/// The work of `elapsed_us` of training, with the remainder that was left before.
constexpr Advance advance(Pace pace, std::int64_t elapsed_us, std::int64_t remainder) {
  AFTERSHOCK_ASSERT(pace.of > 0 && elapsed_us >= 0);
  if (pace.workers == pace.of) {
    return {elapsed_us, remainder};
  }
  __extension__ using Wide = __int128;
  const Wide whole = Wide{elapsed_us} * pace.workers + remainder;
  return {static_cast<std::int64_t>(whole / pace.of), static_cast<std::int64_t>(whole % pace.of)};
}

/// The least work that takes at least `time_us`.
constexpr std::int64_t work_for(Pace pace, std::int64_t time_us) {
  AFTERSHOCK_ASSERT(pace.of > 0 && time_us >= 0);
  if (pace.workers == pace.of) {
    return time_us;
  }
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>((Wide{time_us} * pace.workers + pace.of - 1) / pace.of);
}

/// The shortest time in which `work_us` are done, with the remainder that was left before.
constexpr std::int64_t time_for(Pace pace, std::int64_t work_us, std::int64_t remainder) {
  AFTERSHOCK_ASSERT(pace.workers > 0);
  if (pace.workers == pace.of) {
    return work_us;
  }
  __extension__ using Wide = __int128;
  const Wide missing = Wide{work_us} * pace.of - remainder;
  return missing <= 0 ? 0 : static_cast<std::int64_t>((missing + pace.workers - 1) / pace.workers);
}

}  // namespace aftershock::sim::workload
