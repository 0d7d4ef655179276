#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policies/api/events.h"

namespace aftershock::sim::faults {
struct FaultRecord;
}  // namespace aftershock::sim::faults

namespace aftershock::sim::workload {
struct Experiment;
struct Trial;
}  // namespace aftershock::sim::workload

// Faults of trials.
namespace aftershock::sim::world {

struct World;

/// Faults of trials.
void break_trial(World& world, workload::Experiment& experiment, workload::Trial& trial,
                 std::uint32_t fault);
void fail_trial(World& world, workload::Experiment& experiment, workload::Trial& trial,
                policies::WorkerFailure kind, std::int32_t fault, bool preempted = false,
                std::string error = {});
/// A process of it fails: its controller sees that at once, unless its node is cut off.
void fail_process(World& world, workload::Experiment& experiment, workload::Trial& trial,
                  policies::WorkerFailure kind, std::uint32_t fault, std::string error = {});
void trials_lost_node(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                      bool announced);
void trials_on_dead_node(World& world, std::uint32_t pool, std::uint32_t node);
void trials_reachable_again(World& world);
bool crash_trial(World& world, std::uint32_t fault);
bool hang_trial(World& world, std::uint32_t fault);
void trial_hang_over(World& world, std::uint32_t fault);
bool fail_trials_of(World& world, std::uint32_t fault);
void use_devices(World& world, workload::Experiment& experiment, workload::Trial& trial);
/// Ray's memory monitor ends one process of the node. False: there is none.
bool exhaust_memory_of_trials(World& world, std::uint32_t fault);
/// The trials of the node have another pace.
void trials_changed_pace(World& world, std::uint32_t pool, std::uint32_t node);

/// The trials with a place on the node, by slot.
[[nodiscard]] std::vector<std::uint32_t> trials_on(const World& world,
                                                   const workload::Experiment& experiment,
                                                   std::uint32_t pool, std::uint32_t node);
/// The trials with a process on the accelerator that the fault strikes.
[[nodiscard]] std::vector<std::uint32_t> trials_using(const World& world,
                                                      const faults::FaultRecord& fault);

}  // namespace aftershock::sim::world
