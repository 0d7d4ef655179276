#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/scenario/scenario.h"
#include "sim/workload/progress.h"

namespace aftershock::sim::workload {

/// How far a checkpoint has come.
enum class CheckpointState : std::uint8_t {
  kSnapshot,   ///< training stands still for it
  kUploading,  ///< on its way to storage
  kReported,   ///< durable, and its ranks have said so or wait to
  kCommitted,  ///< the controller counts on it
};

/// One checkpoint of a job. Torn ones, and those that its policy had deleted, are not kept.
struct Checkpoint {
  std::uint32_t id = 0;
  std::uint32_t epoch = 0;  ///< attempt that wrote it
  CheckpointState state = CheckpointState::kSnapshot;
  std::int64_t work_us = 0;        ///< training done, at healthy speed
  std::int64_t productive_us = 0;  ///< the ledger's productive time at that point
  std::int64_t named_us = 0;  ///< when its ranks began to report it, and agreed on its directory
  std::optional<std::uint32_t> deleted_by{};  ///< fault that took its directory out of storage
  std::string trial{};  ///< Train V1's, once its driver has left it in storage: its directory
  std::optional<std::uint32_t> unreadable_by{};  ///< fault that tore or spoilt what is in storage
};

/// The files in storage of a checkpoint that was never committed.
struct Leftover {
  std::uint32_t checkpoint = 0;
  bool torn = false;          ///< not all of it had arrived
  std::int64_t named_us = 0;  ///< as of a checkpoint
  std::string trial{};        ///< as of a checkpoint
};

/// The amount of work at which the next checkpoint begins: the first end of a step at or after the
/// interval counted from `anchor_us` (scenario.md decision 8), which is of time, however much is
/// done in it, or of steps. None when the job takes none.
std::optional<std::int64_t> next_checkpoint_work_us(const scenario::JobSpec& job, Pace pace,
                                                    std::int64_t anchor_us);

/// Bytes that a group of so many workers on so many nodes fetches to restore a checkpoint from a
/// storage of this kind. as_directory() hands out the path where it is a local one.
std::int64_t download_bytes(const scenario::CheckpointSpec& checkpoint, scenario::StorageKind kind,
                            std::int64_t nodes, std::int64_t workers);

/// The work at which an attempt has done all its steps that began with so much of it; none when it
/// trains until the horizon. A script that counts by the attempt has all of them still to do.
inline std::optional<std::int64_t> last_work_us(const scenario::JobSpec& job,
                                                std::int64_t began_us) {
  return job.steps ? std::optional((job.script.steps_per_attempt ? began_us : 0) +
                                   *job.steps * job.step_us)
                   : std::nullopt;
}

}  // namespace aftershock::sim::workload
