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

/// Ends the agent that the fault of that number strikes; answers whether it found one.
bool end_agent(World& world, std::uint32_t number);

/// The node of the job is down, and its agent with it: the policy, which is the agents, is told.
void end_agent_with_node(World& world, workload::Job& job, std::uint32_t node);

/// Whether the agent of the job on that node of its placement is there, or it needs none.
[[nodiscard]] bool has_agent(const World& world, const workload::Job& job, std::uint32_t node);
/// The fault that has ended an agent of the attempt, the last of several; none: all are there.
[[nodiscard]] std::optional<std::uint32_t> ended_agent(const World& world,
                                                       const workload::Job& job);
/// Ranks of the attempt that live and that no stop reaches.
[[nodiscard]] policies::RankSet orphaned(const workload::Job& job);

/// The attempt is over, and these go on until their collective gives up.
void leave_orphans(World& world, workload::Job& job);
/// Nodes without an agent leave the placement. They stay reserved until the job ends: nobody
/// starts an agent there again.
void leave_nodes(World& world, workload::Job& job);
void leave_node(World& world, workload::Job& job, std::uint32_t node);

}  // namespace aftershock::sim::world
