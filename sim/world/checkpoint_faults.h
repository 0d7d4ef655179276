#pragma once

#include <cstdint>

// Checkpoints that are torn, corrupt or deleted.
namespace aftershock::sim {

struct World;
struct Job;

/// Faults of checkpoints, and how the job learns of them.
bool spoil_checkpoint(World& world, std::uint32_t number);
[[nodiscard]] bool torn_on_its_way(World& world, Job& job, std::uint32_t checkpoint);
void download_over(World& world, Job& job);

}  // namespace aftershock::sim
