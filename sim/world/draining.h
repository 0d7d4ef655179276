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

/// Sets whether the job's controller wants to hear of nodes that are announced to go, announces one
/// to it, tells it when it looks, and ends the state of a job that works on under a notice.
void watch_drains(World& world, workload::Job& job,
                  const std::optional<policies::DrainWatch>& watch);
void announce(World& world, workload::Job& job, std::uint32_t fault);
void tell_notice(World& world, workload::Job& job, std::uint32_t fault);
void end_drain(World& world, workload::Job& job);

/// Whether Ray takes the death of a node, noticed now, for a preemption: the drain had a deadline,
/// and that has passed (ray.md 1.9).
[[nodiscard]] bool drained_to_its_deadline(const World& world, std::uint32_t fault);
/// Whether the job's platform, or Ray, takes what has failed now for preempted.
[[nodiscard]] bool is_preempted(const World& world, const workload::Job& job,
                                const detection::RankFailure& failure);

}  // namespace aftershock::sim::world
