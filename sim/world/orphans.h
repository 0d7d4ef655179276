#pragma once

#include <cstdint>

// Workers and whole attempts that live on although their job has gone on without them.
namespace aftershock::sim {

struct World;
struct Job;
struct Zombies;

/// Puts down the time of workers that nobody could stop.
void account_zombie(World& world, const Zombies& zombies);

/// An attempt that its controller gives up and cannot stop, and what it goes on to save.
void orphan_attempt(World& world, Job& job);
void leave_behind(World& world, Job& job);
void orphan_writes(World& world, std::uint32_t index);

}  // namespace aftershock::sim
