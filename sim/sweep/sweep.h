#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reports/results/run_store.h"
#include "sim/sweep/dispatch.h"
#include "sim/sweep/schedule.h"

namespace aftershock::sim::sweep {

/// The parts that a sweep is made with. The plan, the store and the pool outlive it.
struct SweepOptions {
  Shard shard;
  bool record = false;  ///< every run
  /// Takes the first run of the first cell, when it is made; may be empty.
  std::function<void(const reports::RunRow&)> first{};
  /// Of rows in order, block by block; empty: `enough` is never asked.
  std::function<void(const reports::RunRow&)> saw;
  /// After each block that is whole in all cells: whether its replicas and those before are enough.
  std::function<bool(std::uint32_t replicas)> enough;
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  /// Whether it is time to have rows safe on disk; what is not is lost when this process is killed.
  std::function<bool()> commit_due;
};

/// The outcome of the sweep.
struct SweepResult {
  Ended ended = Ended::kDone;
  std::string why;             ///< no workers, or a store that takes no more
  std::string not_recorded;    ///< why a recording could not be written, of the first
  std::uint64_t done = 0;      ///< rows that the store has
  std::uint64_t total = 0;     ///< rows that were asked for
  std::uint32_t replicas = 0;  ///< of each cell, whole: fewer than asked for if they were enough
};

/// Runs what the store does not have yet. Rows go into it as they come; it is finished when
/// all are there.
SweepResult sweep(const Plan& plan, reports::RunStore& store, WorkerPool& pool,
                  const SweepOptions& options);

/// The outcome of recordings.
struct RecordResult {
  Ended ended = Ended::kDone;
  /// In words, for each run that did not come to the same, or whose worker died.
  std::vector<std::string> problems;
};

/// Runs these again, to leave recordings of them.
RecordResult record_runs(const Plan& plan, WorkerPool& pool,
                         const std::vector<reports::RunRow>& runs);

}  // namespace aftershock::sim::sweep
