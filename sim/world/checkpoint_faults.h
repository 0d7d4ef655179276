#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Checkpoints that are torn, corrupt or deleted.
namespace aftershock::sim::world {

struct World;

/// A checkpoint is spoilt: the next one that is saved is torn, or the newest committed one becomes
/// unreadable. False: the job has ended, saves nothing or has a tear armed already; or it has no
/// such checkpoint, or one that is deleted or unreadable already.
bool spoil_checkpoint(World& world, std::uint32_t number);

/// Whether an armed tear has taken the checkpoint whose save has just ended: it is detected, and
/// the checkpoint dropped unreported. False also where only a restore finds the tear
/// (`found_at_restore`): the checkpoint then counts, and is unreadable.
[[nodiscard]] bool torn_on_its_way(World& world, workload::Job& job, std::uint32_t checkpoint);

/// The checkpoint has been downloaded and is loaded: the attempt warms up, or finds it unreadable.
/// Then all ranks raise; or a script that falls back goes on from the newest committed one before
/// it, and the work between is lost to the fault.
void download_over(World& world, workload::Job& job);

}  // namespace aftershock::sim::world
