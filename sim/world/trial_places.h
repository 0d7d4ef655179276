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

/// Nodes for trials.
void wait_for_place(World& world, workload::Experiment& experiment, workload::Trial& trial,
                    bool first);
void plan_serving(World& world, std::uint32_t pool);
bool serve_trials(World& world, workload::Experiment& experiment);
bool place(World& world, workload::Experiment& experiment, workload::Trial& trial);
void leave_place(World& world, workload::Experiment& experiment, workload::Trial& trial);
void ask_nodes(World& world, workload::Experiment& experiment);
[[nodiscard]] bool capacity_may_come(const World& world, const workload::Experiment& experiment);
[[nodiscard]] workload::Experiment* experiment_on(World& world, std::uint32_t pool,
                                                  std::uint32_t node);
[[nodiscard]] bool cut_off(const World& world, const workload::Experiment& experiment,
                           const workload::Trial& trial);
void check_held(const World& world, std::uint32_t pool, std::vector<int>& holders,
                std::vector<std::string>& found);

/// The experiment that holds the node, null where none does.
[[nodiscard]] const workload::Experiment* experiment_on(const World& world, std::uint32_t pool,
                                                        std::uint32_t node);

}  // namespace aftershock::sim::world
