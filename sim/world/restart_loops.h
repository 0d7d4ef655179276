#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Starts in a row that get no further than the one before.
namespace aftershock::sim::world {

struct World;

/// Counts a start, and says whether all jobs that are left only start again and again.
void count_restart_loop(World& world, workload::Job& job, std::uint32_t workers);

}  // namespace aftershock::sim::world
