#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "sim/sweep/worker.h"

namespace aftershock::sim::sweep {

/// A row came in from a worker.
struct RowCame {
  std::uint32_t worker = 0;
  reports::RunRow row;
};
/// A worker could not write the recording of a run that it was at.
struct NotRecorded {
  std::string why;
};
/// A worker has done its task, and is free.
struct TaskDone {
  std::uint32_t worker = 0;
};
/// A worker died over its task; another one has its place, and is free.
struct WorkerLost {
  std::uint32_t worker = 0;
  std::string how;  ///< in words: "killed by signal 9"
};
/// Somebody asked for an end: Ctrl-C, or a batch system.
struct Interrupted {};
/// Nothing came for a while.
struct Quiet {};
/// No more workers can be had, and why.
struct PoolLost {
  std::string why;
};
/// The news of a pool.
using WorkerNews =
    std::variant<RowCame, NotRecorded, TaskDone, WorkerLost, Interrupted, Quiet, PoolLost>;

/// Those who run what a plan asks for: processes of this machine, or of many.
class WorkerPool {
 public:
  virtual ~WorkerPool() = default;
  [[nodiscard]] virtual std::uint32_t size() const = 0;
  /// To a worker that is free.
  virtual void give(std::uint32_t worker, const Task& task) = 0;
  /// The next that happens, within so long.
  virtual WorkerNews wait(int timeout_ms) = 0;
};

}  // namespace aftershock::sim::sweep
