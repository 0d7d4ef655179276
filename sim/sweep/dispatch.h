#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sim/sweep/worker_pool.h"

namespace aftershock::sim::sweep {

/// Where tasks come from, and what becomes of them.
struct Work {
  /// The next task; none: nothing any more.
  std::function<std::optional<Task>()> next;
  /// A row, once each. False: enough has been seen, and no task is asked for any more.
  std::function<bool(reports::RunRow&&)> row;
  /// A worker died over a run; it is tried again, or given up.
  std::function<void(const Task& run, const std::string& what)> trouble;
  /// A recording could not be written, and why.
  std::function<void(const std::string& why)> not_recorded;
  /// From time to time.
  std::function<void()> tick;
};

/// How a dispatch, or a sweep, ended; only a sweep has a file that can take no more.
enum class Ended : std::uint8_t { kDone, kInterrupted, kNoWorkers, kNotStored };
/// The same, in words where it takes some.
struct DispatchResult {
  Ended ended = Ended::kDone;
  std::string why;  ///< kNoWorkers
};

/// How often a run may cost a worker before it is given up.
inline constexpr int kTries = 2;

/// Hands tasks out until there are no more. A worker that dies costs the run that it was at: that
/// is tried again once by itself, then has a row with verdict internal_error.
DispatchResult dispatch(WorkerPool& pool, const Plan& plan, const Work& work);

}  // namespace aftershock::sim::sweep
