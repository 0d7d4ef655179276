#pragma once

// Conclusions that a controller comes to when a time is over.
namespace aftershock::sim {

struct World;
struct Job;

/// The controller learns that a start has failed.
void start_failure_seen(World& world, Job& job);
/// The rule about hangs of a job's policy finds an attempt that has stood still for too long.
void suspect_hang(World& world, Job& job);

}  // namespace aftershock::sim
