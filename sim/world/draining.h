#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/decision.h"

namespace aftershock::sim::detection {
struct RankFailure;
}  // namespace aftershock::sim::detection

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Nodes that are announced to go, and jobs that are told of it.
namespace aftershock::sim::world {

struct World;

/// The policy's watch of drains is as `watch` says from now on. The first look of a new one finds
/// the nodes of the job that were announced before.
void watch_drains(World& world, workload::Job& job,
                  const std::optional<policies::DrainWatch>& watch);

/// The fault's notice is on its way to the job: told at once without a watch; with one at its next
/// look or, where workers are polled, at the first poll from then on (Ray's watcher looks every 5
/// s; ray.md 1.9).
void announce(World& world, workload::Job& job, std::uint32_t fault);

/// The policy hears preemption_notice: the job's nodes and ranks that will go, and the deadline in
/// us (0: the cloud does not tell it, ray.md 1.9). The job trains on, with draining as a phase
/// beside its own, or its script returns.
void tell_notice(World& world, workload::Job& job, std::uint32_t fault);

/// The draining phase ends, because the attempt is stopped or breaks. Nothing happens where it has
/// not begun.
void end_drain(World& world, workload::Job& job);

/// Whether Ray takes the death of a node, noticed now, for a preemption: the drain had a deadline,
/// and that has passed (ray.md 1.9).
[[nodiscard]] bool drained_to_its_deadline(const World& world, std::uint32_t fault);

/// Whether the failure counts as a preemption. A platform says so by itself, as it ended the pods
/// of the node that it drained; Ray takes a lost node for preempted when its deadline has passed.
[[nodiscard]] bool is_preempted(const World& world, const workload::Job& job,
                                const detection::RankFailure& failure);

}  // namespace aftershock::sim::world
