#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/decision.h"

// Nodes that are announced to go, and jobs that are told of it.
namespace aftershock::sim {

struct World;
struct Job;
struct RankFailure;

/// Sets whether the job's controller wants to hear of nodes that are announced to go, announces one
/// to it, tells it when it looks, and ends the state of a job that works on under a notice.
void watch_drains(World& world, Job& job, const std::optional<policies::DrainWatch>& watch);
void announce(World& world, Job& job, std::uint32_t fault);
void tell_notice(World& world, Job& job, std::uint32_t fault);
void end_drain(World& world, Job& job);

/// Whether Ray takes the death of a node, noticed now, for a preemption: the drain had a deadline,
/// and that has passed (ray.md 1.9).
[[nodiscard]] bool drained_to_its_deadline(const World& world, std::uint32_t fault);
/// Whether the job's platform, or Ray, takes what has failed now for preempted.
[[nodiscard]] bool is_preempted(const World& world, const Job& job, const RankFailure& failure);

}  // namespace aftershock::sim
