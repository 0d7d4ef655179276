#pragma once

#include <cstdint>

namespace aftershock::sim::faults {

/// Where a source stands whose time does not always go on: only in the training of a job, or for
/// nodes that are up or held.
struct SourceClock {
  std::uint32_t spec = 0;     ///< the fault
  std::uint64_t nth = 0;      ///< the occurrence that it waits for
  std::int64_t left_us = 0;   ///< of the gap before that, as of `since_us`, of all units together
  std::int64_t since_us = 0;  ///< when it was last looked at
  std::uint32_t epoch = 0;    ///< calendar entries of an earlier one are stale
  std::int64_t units = 0;     ///< for which it goes on; 0: it stands still
};

}  // namespace aftershock::sim::faults
