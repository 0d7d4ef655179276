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

/// The trial stands still by the fault, and nobody has seen that yet. Nothing happens to one that
/// is broken already, but that a trial which hangs does not go on any more: its process may still
/// die.
void break_trial(World& world, workload::Experiment& experiment, workload::Trial& trial,
                 std::uint32_t fault);

/// The controller learns that the trial has failed: its attempt is over and its place free, and the
/// policy hears trials_failed. `fault`: the one that is detected by that, -1: none has caused it.
void fail_trial(World& world, workload::Experiment& experiment, workload::Trial& trial,
                policies::WorkerFailure kind, std::int32_t fault, bool preempted = false,
                std::string error = {});

/// A process of the trial fails: its controller sees that at once or, where the node is cut off,
/// when the cut is over or the node declared dead.
void fail_process(World& world, workload::Experiment& experiment, workload::Trial& trial,
                  policies::WorkerFailure kind, std::uint32_t fault, std::string error = {});

/// The node is down by the fault: its trials break, and those that are stopping have stopped. An
/// `announced` end is known at once; any other when the node is declared dead.
void trials_lost_node(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                      bool announced);

/// The node is declared dead: its trials fail, and those that are stopping have stopped. One whose
/// process never began there is placed anew, before all that wait.
void trials_on_dead_node(World& world, std::uint32_t pool, std::uint32_t node);

/// A cut is over: trials in reach tell of failures that it hid, go on with the stage that ended
/// behind it, or launch where they were placed on a node that was cut off.
void trials_reachable_again(World& world);

/// The trial's process ends in the fault's manner. False: it has none.
bool crash_trial(World& world, std::uint32_t fault);

/// The trial stands still for the fault's length, or for ever without one; nobody polls trials, so
/// one whose process lives counts as running. False: it has no process, launches, is broken, or is
/// held by a cut or its storage.
bool hang_trial(World& world, std::uint32_t fault);

/// The hang of the fault is over: the trial goes on with its stage as if no time had passed.
/// Nothing happens where it is stopping, or does not stand still by that fault any more.
void trial_hang_over(World& world, std::uint32_t fault);

/// Each trial with a process on the fault's accelerator dies of it. False: there are none.
bool fail_trials_of(World& world, std::uint32_t fault);

/// The trial that begins to train fails by an exception of the runtime if one of its accelerators
/// is lastingly out of order.
void use_devices(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// Memory of the node runs out, and Ray's monitor ends one process there: that of the trial which
/// was placed last, by both of the raylet's policies. False: none runs there.
bool exhaust_memory_of_trials(World& world, std::uint32_t fault);

/// Accelerators of the node have become slower or faster: trials there compute at the new pace.
void trials_changed_pace(World& world, std::uint32_t pool, std::uint32_t node);

/// The trials with a place on the node, by slot. The experiment must hold the node.
[[nodiscard]] std::vector<std::uint32_t> trials_on(const World& world,
                                                   const workload::Experiment& experiment,
                                                   std::uint32_t pool, std::uint32_t node);

/// The trials with a process on the accelerator that the fault strikes.
[[nodiscard]] std::vector<std::uint32_t> trials_using(const World& world,
                                                      const faults::FaultRecord& fault);

}  // namespace aftershock::sim::world
