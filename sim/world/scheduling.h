#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/commands.h"
#include "policies/api/decision.h"

namespace aftershock::sim::workload {
struct Experiment;
struct Job;
}  // namespace aftershock::sim::workload

// Nodes for jobs: the queue, waits that end in vain, and what elastic jobs are told of their
// pool.
namespace aftershock::sim::world {

struct World;

/// The job takes `count` nodes of its pool, by its rule of spread where it has one: all of them, or
/// none, which is false.
bool take_gang(World& world, workload::Job& job, std::uint32_t count);

/// The job joins the queue of its pool, by its priority or before all. It is asked only while
/// enough nodes are free; one for which it matters which nodes these are is asked each time.
void join_queue(World& world, workload::Job& job);

/// Nodes of the pool are known to be gone: jobs that wait for nodes, and counted on them, ask for
/// replacements again.
void ask_again(World& world, std::uint32_t pool);

/// Free nodes of the pool go to those that wait for them, in their order. Those that are left ask
/// for more machines, or are given up where none can come; jobs that watch capacity look again.
void serve_queue(World& world, std::uint32_t pool);

/// The wait for nodes has reached the policy's limit: the attempt gives back what it has, and the
/// policy hears attempt_start_failed. The job is given up after two such starts without hope, where
/// neither a fault nor a retry budget can end them.
void give_up_placement(World& world, workload::Job& job);

/// The job or experiment with that mark waits for what will never come: the run goes on without it,
/// and ends when nobody else is left.
void give_up_on(World& world, bool& stuck);

/// The job or experiment with that mark has been served or struck after all: if it was given up,
/// the run waits for it again.
void count_again(World& world, bool& stuck);

/// A job that waits without a limit is given up if no nodes can come. Where a fault may still
/// strike it, it is looked at again instead when that is over.
void give_up_if_unschedulable(World& world, workload::Job& job);

/// The same of an experiment whose trials wait while none of them runs.
void give_up_if_unschedulable(World& world, workload::Experiment& experiment);

/// Whether the job waits for nodes in vain: without a limit, and none can come.
[[nodiscard]] bool unschedulable(const World& world, const workload::Job& job);

/// Whether trials of the experiment wait in vain: none of them runs, and no nodes can come.
[[nodiscard]] bool unschedulable(const World& world, const workload::Experiment& experiment);

/// The policy's watch of capacity is as `watch` says from now on; a new one looks first at its
/// anchor.
void watch_capacity(World& world, workload::Job& job,
                    const std::optional<policies::CapacityWatch>& watch);

/// The pool may have room for more or fewer workers: each job that watches it looks at the next
/// beat of its queries, and no look that would show nothing is played.
void capacity_changed(World& world, std::uint32_t pool);

/// The job looks how many workers its pool could run, up to those that it wants: the policy hears
/// capacity_changed if that is news. Too few make it ask for machines, at the slower beat of
/// requests (Ray Train V2, elastic scaling).
void look_at_capacity(World& world, workload::Job& job);

/// An elastic job between attempts, or broken and told so, waits for capacity: its phase is
/// provisioning if machines are on their way, else waiting_for_capacity. Nothing happens without a
/// watch or driver, or in a teardown.
void wait_for_capacity(World& world, workload::Job& job);

/// The job's controller is down: its watches, timer and polls end.
void stop_watching(World& world, workload::Job& job);

}  // namespace aftershock::sim::world
