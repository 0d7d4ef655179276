#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/sweep/worker.h"

namespace aftershock::sim::sweep {

/// Replicas that are run in all cells before the next ones are begun: a sweep that ends early, or
/// is looked at early, has seen every cell as often.
inline constexpr std::uint32_t kBlock = 16;

/// Part `shard` of `shards`, by replica: replica n belongs to shard 1 + n modulo shards.
struct Shard {
  std::uint32_t shard = 1;
  std::uint32_t shards = 1;

  /// Whether the replica belongs to it.
  [[nodiscard]] bool has(std::uint32_t replica) const { return replica % shards == shard - 1; }
  /// Of the first so many replicas.
  [[nodiscard]] std::uint32_t count(std::uint32_t replicas) const {
    return replicas / shards + (replicas % shards >= shard ? 1 : 0);
  }
};

/// The tasks of a plan in order: block by block, cell by cell.
class Schedule {
 public:
  /// `wanted(cell, replica)` says whether a run is to be made; `most`: runs in a task.
  Schedule(std::uint32_t cells, std::uint32_t replicas, std::uint32_t most,
           std::function<bool(std::uint32_t, std::uint32_t)> wanted);

  /// The next task; none when all were given.
  std::optional<Task> next();

 private:
  bool advance();

  std::uint32_t cells_;
  std::uint32_t replicas_;
  std::uint32_t most_;
  std::function<bool(std::uint32_t, std::uint32_t)> wanted_;
  std::uint32_t block_ = 0;  ///< its first replica
  std::uint32_t cell_ = 0;
  std::uint32_t replica_ = 0;
};

/// Runs in a task, so that every worker gets many and none waits long for the last.
std::uint32_t runs_a_task(std::uint64_t runs, std::uint32_t workers);

}  // namespace aftershock::sim::sweep
