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

/// Some ranks get new workers while the others of the attempt wait (ray.md 1.6): it has a new epoch
/// and joins the queue. Refused with an old epoch, and unless it is broken, runs and has ranks
/// named.
void replace_workers(World& world, workload::Job& job, const policies::ReplaceWorkers& command);

/// A stop comes while the attempt waits for nodes for some workers: it leaves the queue, and the
/// others end within the grace.
void stop_survivors(World& world, workload::Job& job, const policies::StopWorkers& command);

/// Nodes of the placement that are lost are exchanged for free ones, all or none. False: too few
/// are free, or the rule of spread does not allow them.
bool place_replacements(World& world, workload::Job& job);

/// The new workers take the state of a peer, and the attempt goes on: nothing is lost but the step
/// in which it was stopped (ray.md 1.6). Failures of survivors that came meanwhile show now.
void go_on_replaced(World& world, workload::Job& job);

/// Pods that are made anew get their node: the one that they had if it takes work and has its
/// agent, else a free one. All others stay. False: too few are free, or the rule of spread does not
/// allow them.
[[nodiscard]] bool place_pods(World& world, workload::Job& job);

/// A start that failed late is left behind, as Ray does not shut it down (ray.md 1.5): its nodes
/// stay reserved until they are reclaimed or the job or its driver ends. Nodes that are lost are
/// given back.
void leak_group(World& world, workload::Job& job);

/// Leaked nodes are given back, and the time of the accelerators on them counts as stale. `of_us`:
/// those of that moment; none: all of them.
void free_leaks(World& world, workload::Job& job, std::optional<std::int64_t> of_us);

/// Another attempt starts in the containers that were kept, without a queue; with `in_process` its
/// launch takes no time. Refused with an old epoch, and unless containers are kept without an
/// attempt.
void restart_processes(World& world, workload::Job& job, const policies::RestartProcesses& command);

/// Another attempt starts with the pods of `ranks` made anew and the containers of all others: it
/// is first in the queue. Refused as restart_processes() is.
void recreate_pods(World& world, workload::Job& job, const policies::RecreatePods& command);

/// The number of pods that the stop takes away; one whose container is gone already does not count.
[[nodiscard]] std::size_t pods_leaving(const World& world, const workload::Job& job,
                                       const policies::StopWorkers& stop);

/// Containers in which no process runs are removed, all or some: the teardown takes the time that
/// their volumes need to unmount.
void remove_containers(World& world, workload::Job& job, const policies::StopWorkers& command);

/// A stop that keeps containers is under way, and now all of them go: the teardown lasts until
/// processes have ended and volumes are unmounted.
void take_containers_too(World& world, workload::Job& job, const policies::StopWorkers& command);

/// A script that is not reentrant fails the start in each container that was kept; `anew`: but in
/// those that were made anew. Nothing happens where no process ran there before.
void run_script_again(World& world, workload::Job& job, bool anew);

/// The environment that the policy has given the attempt is recorded as its pods start: an attempt
/// without nodes gives none to anybody.
void note_env(World& world, workload::Job& job);

/// Another attempt opens in containers of the one before, from the newest committed checkpoint;
/// containers in which processes ran already need no set-up.
void run_again(World& world, workload::Job& job, policies::Epoch epoch,
               const std::vector<policies::PodEnv>& env);

}  // namespace aftershock::sim::world
