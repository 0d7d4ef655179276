#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aftershock::sim::workload {
struct Experiment;
struct Trial;
}  // namespace aftershock::sim::workload

// Nodes for trials.
namespace aftershock::sim::world {

struct World;

/// The trial waits for its resources, behind all others of its experiment or `first` of them; the
/// experiment joins the queue, which is served in this microsecond.
void wait_for_place(World& world, workload::Experiment& experiment, workload::Trial& trial,
                    bool first);

/// The pool's queue is to be served once in this microsecond, when all that ask or give back in it
/// have done so.
void plan_serving(World& world, std::uint32_t pool);

/// Trials of the experiment get places in their order and launch, until one does not fit. True:
/// none is left to wait, and the experiment needs its place in the queue no more.
bool serve_trials(World& world, workload::Experiment& experiment);

/// The trial gets its whole nodes, or a slot of one: Ray packs, so on a node of its experiment that
/// has room, and only where none has on a new one. False: not enough is free, and it has nothing.
bool place(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The trial gives back its place; nodes without a trial are free, and the queue is served. Nothing
/// happens where it has none.
void leave_place(World& world, workload::Experiment& experiment, workload::Trial& trial);

/// The pool is asked for the nodes that the waiting trials would take, as an autoscaler sees them;
/// where none can come the experiment is given up.
void ask_nodes(World& world, workload::Experiment& experiment);

/// Whether nodes of its pool may yet come free for the experiment (nodes.h).
[[nodiscard]] bool capacity_may_come(const World& world, const workload::Experiment& experiment);

/// The experiment that holds the node; null: nobody does, or a job.
[[nodiscard]] workload::Experiment* experiment_on(World& world, std::uint32_t pool,
                                                  std::uint32_t node);

/// Whether a node of the trial is cut off in either direction, so that word between the trial and
/// its controller does not get through.
[[nodiscard]] bool cut_off(const World& world, const workload::Experiment& experiment,
                           const workload::Trial& trial);

/// The nodes that trials of the pool's experiments are on: each counts 1 in `holders`, by node, and
/// one that knows another holder or trial is a line in `found`. For inconsistencies().
void check_held(const World& world, std::uint32_t pool, std::vector<int>& holders,
                std::vector<std::string>& found);

/// The same where the world stays as it is.
[[nodiscard]] const workload::Experiment* experiment_on(const World& world, std::uint32_t pool,
                                                        std::uint32_t node);

}  // namespace aftershock::sim::world
