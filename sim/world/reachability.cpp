#include <algorithm>

#include "sim/world/network_faults.h"
#include "sim/world/world.h"

// Reachability of workers and storages, as things stand.
namespace aftershock::sim::world {

// A look at the job's workers, or the end of one of them, does not get through from the node.
bool hides(const World& world, const workload::Job& job, std::uint32_t node) {
  const machines::Node& there = world.machines.pool(spec(world, job).pool).node(node);
  // A platform's node says of its own accord what happens on it; a poll has to ask.
  return there.mute || (there.deaf && !job.control.host.info().watches_nodes);
}

// The fault that keeps some of the job's nodes from its storage; none: all of them get there.
std::optional<std::uint32_t> storage_blocked(const World& world, const workload::Job& job) {
  const auto& storage = spec(world, job).run.storage;
  return storage ? world.network.blocked_by(*storage, spec(world, job).pool, job.placement.slots)
                 : std::nullopt;
}

// Of a save that has the storage for itself.
std::int64_t write_speed(const World& world, const workload::Job& job) {
  const auto& storage = spec(world, job).run.storage;
  return storage ? std::min(world.network.write_speed(*storage), job.saved.link_bound_bytes_per_s)
                 : job.saved.link_bound_bytes_per_s;
}

bool reaches_storage(const World& world, const orphans::OrphanedAttempt& orphan) {
  const scenario::JobSpec& job_spec = world.scenario().jobs[orphan.job];
  return !job_spec.run.storage ||
         !world.network.blocked_by(*job_spec.run.storage, job_spec.pool, orphan.nodes);
}

}  // namespace aftershock::sim::world
