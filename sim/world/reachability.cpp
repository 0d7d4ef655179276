#include <algorithm>

#include "sim/world/world_state.h"

// Who can reach whom, and what, as things stand.
namespace aftershock::sim {

// A look at the job's workers, or the end of one of them, does not get from the node to who looks.
bool WorldState::hides(const Job& job, std::uint32_t node) const {
  const Node& there = machines_.pool(spec(job).pool).node(node);
  // A platform's node says of its own accord what happens on it; a poll has to ask.
  return there.mute || (there.deaf && !job.host.info().watches_nodes);
}

// The fault that keeps some of the job's nodes from its storage; none: all of them get there.
std::optional<std::uint32_t> WorldState::storage_blocked(const Job& job) const {
  const auto& storage = spec(job).run.storage;
  return storage ? network_.blocked_by(*storage, spec(job).pool, job.placement.slots)
                 : std::nullopt;
}

// Of a save that has the storage for itself.
std::int64_t WorldState::write_speed(const Job& job) const {
  const auto& storage = spec(job).run.storage;
  return storage ? std::min(network_.write_speed(*storage), job.link_bound_bytes_per_s)
                 : job.link_bound_bytes_per_s;
}

bool WorldState::reaches_storage(const OrphanedAttempt& orphan) const {
  const JobSpec& job_spec = core_.scenario().jobs[orphan.job];
  return !job_spec.run.storage ||
         !network_.blocked_by(*job_spec.run.storage, job_spec.pool, orphan.nodes);
}

}  // namespace aftershock::sim
