#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Checkpoints that are torn, corrupt or deleted.
namespace aftershock::sim::world {

struct World;

/// Faults of checkpoints, and how the job learns of them.
bool spoil_checkpoint(World& world, std::uint32_t number);
[[nodiscard]] bool torn_on_its_way(World& world, workload::Job& job, std::uint32_t checkpoint);
void download_over(World& world, workload::Job& job);

}  // namespace aftershock::sim::world
