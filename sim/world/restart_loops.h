#pragma once

#include <cstdint>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Starts in a row that get no further than the one before.
namespace aftershock::sim::world {

struct World;

/// A start of `workers` is counted as alike where the last attempt ended by the same fault, no
/// further than before. At each hundredth, in a run without a horizon, the jobs that are left are
/// given up if all of them are in such loops, or wait in vain, and nothing is to come.
void count_restart_loop(World& world, workload::Job& job, std::uint32_t workers);

}  // namespace aftershock::sim::world
