#pragma once

#include <cstdint>

// Starts in a row that get no further than the one before.
namespace aftershock::sim {

struct World;
struct Job;

/// Counts a start, and says whether all jobs that are left only start again and again.
void count_restart_loop(World& world, Job& job, std::uint32_t workers);

}  // namespace aftershock::sim
