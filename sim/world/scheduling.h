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

/// Jobs that wait for nodes, and those that do so in vain.
bool take_gang(World& world, workload::Job& job, std::uint32_t count);
void join_queue(World& world, workload::Job& job);
void ask_again(World& world, std::uint32_t pool);
void serve_queue(World& world, std::uint32_t pool);
void give_up_placement(World& world, workload::Job& job);
void give_up_on(World& world, bool& stuck);
void count_again(World& world, bool& stuck);
void give_up_if_unschedulable(World& world, workload::Job& job);
void give_up_if_unschedulable(World& world, workload::Experiment& experiment);
[[nodiscard]] bool unschedulable(const World& world, const workload::Job& job);
[[nodiscard]] bool unschedulable(const World& world, const workload::Experiment& experiment);

/// News of their pool for elastic jobs.
void watch_capacity(World& world, workload::Job& job,
                    const std::optional<policies::CapacityWatch>& watch);
void capacity_changed(World& world, std::uint32_t pool);
void look_at_capacity(World& world, workload::Job& job);
void wait_for_capacity(World& world, workload::Job& job);
void stop_watching(World& world, workload::Job& job);

}  // namespace aftershock::sim::world
