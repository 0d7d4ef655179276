#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Workers and whole attempts that live on although their job has gone on without them.
namespace aftershock::sim::world {

struct World;
struct Zombies;

/// Puts down the time of workers that nobody could stop.
void account_zombie(World& world, const Zombies& zombies);

/// An attempt that its controller gives up and cannot stop, and what it goes on to save.
void orphan_attempt(World& world, workload::Job& job);
void leave_behind(World& world, workload::Job& job);
void orphan_writes(World& world, std::uint32_t index);

}  // namespace aftershock::sim::world
