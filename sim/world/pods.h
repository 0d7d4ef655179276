#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/commands.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Parts of an attempt that are replaced, and containers that outlive their processes.
namespace aftershock::sim::world {

struct World;

/// Some workers of an attempt are replaced; others are left behind.
void replace_workers(World& world, workload::Job& job, const policies::ReplaceWorkers& command);
void stop_survivors(World& world, workload::Job& job, const policies::StopWorkers& command);
bool place_replacements(World& world, workload::Job& job);
void go_on_replaced(World& world, workload::Job& job);
[[nodiscard]] bool place_pods(World& world, workload::Job& job);
void leak_group(World& world, workload::Job& job);
void free_leaks(World& world, workload::Job& job, std::optional<std::int64_t> of_us);

/// Containers that outlive their processes.
void restart_processes(World& world, workload::Job& job, const policies::RestartProcesses& command);
void recreate_pods(World& world, workload::Job& job, const policies::RecreatePods& command);
[[nodiscard]] std::size_t pods_leaving(const World& world, const workload::Job& job,
                                       const policies::StopWorkers& stop);
void remove_containers(World& world, workload::Job& job, const policies::StopWorkers& command);
void take_containers_too(World& world, workload::Job& job, const policies::StopWorkers& command);
void run_script_again(World& world, workload::Job& job, bool anew);
void note_env(World& world, workload::Job& job);
void run_again(World& world, workload::Job& job, policies::Epoch epoch,
               const std::vector<policies::PodEnv>& env);

}  // namespace aftershock::sim::world
