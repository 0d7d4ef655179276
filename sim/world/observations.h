#pragma once

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Conclusions that a controller comes to when a time is over.
namespace aftershock::sim::world {

struct World;

/// The controller, which waits for the workers' answers, learns that a start has failed: the policy
/// hears attempt_start_failed, once an attempt. Nothing happens where the start goes on.
void start_failure_seen(World& world, workload::Job& job);

/// The rule about hangs, of the job or of its policy, finds an attempt that has stood still for too
/// long: the policy hears hang_suspected. Nothing happens where the attempt goes on.
void suspect_hang(World& world, workload::Job& job);

}  // namespace aftershock::sim::world
