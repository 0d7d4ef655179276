#pragma once

#include <cstdint>
#include <vector>

#include "gui/trace/trace.h"
#include "gui/why/accounts.h"

namespace aftershock::gui {

/// A job or experiment within a range of time.
struct RangeOfJob {
  std::uint32_t entity = kNone;
  BucketTimes us;              ///< see range_times, the longest first
  std::int64_t useful_us = 0;  ///< of it the work that was still there at the end of the run
  std::int64_t lost_us = 0;    ///< of it the work that was lost, by then or later on
};

/// The faults of one kind within a range of time.
struct KindOfFaults {
  TextId kind = kNoText;
  std::int64_t fired = 0;
  std::int64_t masked = 0;
};

/// A fault within a range of time. All of its costs count, also those that come after the range.
struct FaultInRange {
  std::uint32_t fault = kNone;  ///< among the trace's
  std::int64_t cost_us = 0;     ///< for the jobs that were asked about, together
};

/// The events within a range of time.
struct RangeAnswer {
  std::int64_t from_us = 0;
  std::int64_t to_us = 0;
  std::vector<RangeOfJob> jobs;          ///< that were there, in the order of accounts
  std::vector<KindOfFaults> kinds;       ///< the most frequent first
  bool knows_costs = false;              ///< else no ledger tells of them, and faults are by time
  std::vector<FaultInRange> faults;      ///< of the whole cluster, the dearest first, then by time
  std::vector<std::uint32_t> decisions;  ///< of the jobs, among the trace's, by time
};

/// For one job or experiment or (kNone) all of them. `accounts` are those of the trace.
RangeAnswer range_answer(const Trace& trace, const std::vector<Account>& accounts,
                         std::uint32_t entity, std::int64_t from_us, std::int64_t to_us);

}  // namespace aftershock::gui
