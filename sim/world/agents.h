#pragma once

#include <cstdint>
#include <optional>

#include "policies/api/rank_set.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Agents: a controller that is a process on each node of its job, and ends there by itself. Ranks
// without one train on (Detection::unwatched), and their node serves the job no more.
namespace aftershock::sim::world {

struct World;

/// An agent ends apart from its node: its ranks train on unwatched, or end with it by SIGTERM (exit
/// code 143) where the fault terminates it. False: the node is down, the agent is missing, or the
/// job's controller is down.
bool end_agent(World& world, std::uint32_t number);

/// The agent on a node that goes down unannounced ends with it, and the policy, which is the
/// agents, hears of that at once. Nothing happens where the controller is down or the agent had
/// ended before.
void end_agent_with_node(World& world, workload::Job& job, std::uint32_t node);

/// The cut `fault` has ended: agents whose nodes are reached again, of jobs of which nothing else
/// runs, see how the workers have ended that the last stop left behind the cut. Called while the
/// zombies are listed still.
void see_left_behind(World& world, std::uint32_t fault);

/// When the agents of the job start the workers of an attempt whose launch begins now and takes
/// `length_us`; none where its nodes have no agents.
[[nodiscard]] std::optional<std::int64_t> workers_launched_us(const World& world,
                                                              const workload::Job& job,
                                                              std::int64_t length_us);

/// Whether the agent of the job on that node of its pool is there, or the job needs none there:
/// false only of a node of its placement on which a rank is unwatched.
[[nodiscard]] bool has_agent(const World& world, const workload::Job& job, std::uint32_t node);

/// The number of the newest fault that has ended an agent of the job; none: every rank of the
/// attempt is watched.
[[nodiscard]] std::optional<std::uint32_t> ended_agent(const World& world,
                                                       const workload::Job& job);

/// The ranks of the attempt that live and have no agent: a stop does not reach them, as the agent
/// would have passed it on.
[[nodiscard]] policies::RankSet orphaned(const workload::Job& job);

/// The attempt is over, and its orphaned ranks go on as zombies until their collective gives up
/// (peers_gone_after_us()), for ever where it never does. Called before the nodes are let go of.
void leave_orphans(World& world, workload::Job& job);

/// Nodes without an agent leave the placement, and no rank counts as unwatched any more. They stay
/// reserved until the job or its driver ends: nobody starts an agent there again.
void leave_nodes(World& world, workload::Job& job);

/// The node becomes a leak of its own, without accelerators that compute: taken in its pool, and
/// part of no attempt. The caller takes it out of the placement.
void leave_node(World& world, workload::Job& job, std::uint32_t node);

}  // namespace aftershock::sim::world
