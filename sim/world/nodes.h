#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// The fate of nodes.
namespace aftershock::sim::world {

struct World;

/// A node goes down by the fault: jobs and trials on it learn of that at once where it was
/// `announced`, else when it is missed. `lasts_us` none: as the pool repairs, else for good, and
/// local files of its jobs are then lost.
void node_down(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
               std::optional<std::int64_t> lasts_us, bool announced);

/// The cluster declares the node dead, as its heartbeats have stayed away: platforms are told,
/// failures on it show, and its trials fail. Nothing happens where that is known already.
void node_dead_known(World& world, std::uint32_t pool, std::uint32_t node);

/// The job asks its pool for as many machines as its full size needs, without the nodes that it
/// holds and that take work.
void ask_replacements(World& world, const workload::Job& job);

/// The pool is asked until `needed` nodes are free or on their way; machines that it gives at once
/// serve the queue. A pool that denies capacity, or replaces nothing, gives none.
void ask_replacements(World& world, std::uint32_t pool, std::uint32_t needed);

/// Another machine has the node's place, with nothing of the one before: no image, no defect, no
/// slowness. The queue is served. Nothing happens where the place is not to be filled any more.
void new_node(World& world, std::uint32_t pool, std::uint32_t node);

/// The end of patience with the silent node is planned, at declared_us() or at once.
void watch_heartbeats(World& world, std::uint32_t pool, std::uint32_t node);

/// The time in us at which the silent node is declared dead: after the heartbeats that it may miss
/// and, where nothing there refuses connections, their timeout. Fixed detection of the job on it
/// replaces both.
[[nodiscard]] std::int64_t declared_us(const World& world, std::uint32_t pool, std::uint32_t node);

/// Whether nodes may yet come free for the job, by the next function.
[[nodiscard]] bool capacity_may_come(const World& world, const workload::Job& job);

/// Whether nodes of the pool may yet come free for the holder: others hold some, or a node returns,
/// is provisioned, repaired or replaced, or is isolated by a policy that has set a timer.
[[nodiscard]] bool capacity_may_come(const World& world, std::uint32_t pool, std::uint32_t holder);

/// The job of whose placement the node is; null: nobody holds it, an experiment does, or it is a
/// leak.
[[nodiscard]] workload::Job* holder(World& world, std::uint32_t pool, std::uint32_t node);

/// The same where the world stays as it is.
[[nodiscard]] const workload::Job* holder(const World& world, std::uint32_t pool,
                                          std::uint32_t node);

}  // namespace aftershock::sim::world
