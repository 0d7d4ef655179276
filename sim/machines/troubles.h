#pragma once

#include <cstdint>
#include <optional>

#include "reports/recording/recorder.h"

// Trouble of machines, and of pools that give them out, beside machines being down. Faults are
// numbers in the run.
namespace aftershock::sim::machines {

/// A machine that works, and slower than the others.
struct Slowness {
  std::uint32_t pool = 0;
  std::uint32_t node = 0;                    ///< of the pool
  std::optional<std::uint32_t> accelerator;  ///< none: all of the node
  std::uint32_t fault = 0;
  std::int64_t ppm = 1'000'000;  ///< how many times as long it takes
  reports::SpanId span = 0;
};

/// A machine that is going to fail: one that came up bad, or a lemon between two failures.
struct Defect {
  std::uint32_t pool = 0;
  std::uint32_t node = 0;
  std::uint32_t fault = 0;
  std::uint32_t shown = 0;    ///< how often it has failed of that
  std::uint32_t repairs = 0;  ///< how often it was repaired since
};

/// Machines of a pool that will be bad when they are put to use.
struct BadBatch {
  std::uint32_t pool = 0;
  std::uint32_t fault = 0;
  std::uint32_t left = 0;
  std::uint32_t used = 0;
};

/// A pool that gives out no machines.
struct Denial {
  std::uint32_t pool = 0;
  std::uint32_t fault = 0;
};

/// A node that was named by an alarm and is healthy.
struct FalseAccusation {
  std::uint32_t pool = 0;
  std::uint32_t node = 0;
  std::uint32_t fault = 0;
};

}  // namespace aftershock::sim::machines
