#include "sim/workload/checkpoint.h"

#include <algorithm>

namespace aftershock::sim::workload {

std::optional<std::int64_t> next_checkpoint_work_us(const scenario::JobSpec& job, Pace pace,
                                                    std::int64_t anchor_us) {
  if (!job.checkpoint || !job.script.saves) {
    return std::nullopt;
  }
  const std::int64_t step_us = job.step_us;
  if (job.checkpoint->every_steps) {
    return (anchor_us / step_us + *job.checkpoint->every_steps) * step_us;
  }
  // A save waits for the end of a step: there is nothing to keep of one that is under way.
  const std::int64_t due_us = anchor_us + work_for(pace, *job.checkpoint->every_us);
  return (due_us + step_us - 1) / step_us * step_us;
}

std::int64_t download_bytes(const scenario::CheckpointSpec& checkpoint, scenario::StorageKind kind,
                            std::int64_t nodes, std::int64_t workers) {
  if (checkpoint.download == scenario::Download::kShards) {
    return checkpoint.bytes;
  }
  // as_directory() hands out the path itself where it is a local one, so that nothing moves (ray.md
  // 1.8).
  if (checkpoint.download == scenario::Download::kAsDirectory &&
      kind != scenario::StorageKind::kObject) {
    return 0;
  }
  // One process a node copies while the others wait for its lock; those that come when its last
  // reader has gone copy again (ray.md 1.8).
  const std::int64_t copies = checkpoint.overlapping ? nodes : workers;
  constexpr std::int64_t kMost = std::int64_t{1} << 60U;
  return std::min(checkpoint.bytes, kMost / copies) * copies;
}

}  // namespace aftershock::sim::workload
