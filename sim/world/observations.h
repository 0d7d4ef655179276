#pragma once

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Conclusions that a controller comes to when a time is over.
namespace aftershock::sim::world {

struct World;

/// The controller learns that a start has failed.
void start_failure_seen(World& world, workload::Job& job);
/// The rule about hangs of a job's policy finds an attempt that has stood still for too long.
void suspect_hang(World& world, workload::Job& job);

}  // namespace aftershock::sim::world
