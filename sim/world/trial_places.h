#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Nodes for trials.
namespace aftershock::sim {

struct World;
struct Experiment;
struct Trial;

/// Nodes for trials.
void wait_for_place(World& world, Experiment& experiment, Trial& trial, bool first);
void plan_serving(World& world, std::uint32_t pool);
bool serve_trials(World& world, Experiment& experiment);
bool place(World& world, Experiment& experiment, Trial& trial);
void leave_place(World& world, Experiment& experiment, Trial& trial);
void ask_nodes(World& world, Experiment& experiment);
[[nodiscard]] bool capacity_may_come(const World& world, const Experiment& experiment);
[[nodiscard]] Experiment* experiment_on(World& world, std::uint32_t pool, std::uint32_t node);
[[nodiscard]] bool cut_off(const World& world, const Experiment& experiment, const Trial& trial);
void check_held(const World& world, std::uint32_t pool, std::vector<int>& holders,
                std::vector<std::string>& found);

/// The experiment that holds the node, null where none does.
[[nodiscard]] const Experiment* experiment_on(const World& world, std::uint32_t pool,
                                              std::uint32_t node);

}  // namespace aftershock::sim
