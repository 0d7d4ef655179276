#pragma once

#include <cstdint>
#include <optional>

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// The fate of nodes.
namespace aftershock::sim::world {

struct World;

/// The fate of nodes.
void node_down(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
               std::optional<std::int64_t> lasts_us, bool announced);
void node_dead_known(World& world, std::uint32_t pool, std::uint32_t node);
void ask_replacements(World& world, const workload::Job& job);
void ask_replacements(World& world, std::uint32_t pool, std::uint32_t needed);
void new_node(World& world, std::uint32_t pool, std::uint32_t node);
void watch_heartbeats(World& world, std::uint32_t pool, std::uint32_t node);
[[nodiscard]] std::int64_t declared_us(World& world, std::uint32_t pool, std::uint32_t node);
[[nodiscard]] bool capacity_may_come(const World& world, const workload::Job& job);
[[nodiscard]] bool capacity_may_come(const World& world, std::uint32_t pool, std::uint32_t holder);
[[nodiscard]] workload::Job* holder(World& world, std::uint32_t pool, std::uint32_t node);

/// The job that holds the node, null where none does.
[[nodiscard]] const workload::Job* holder(const World& world, std::uint32_t pool,
                                          std::uint32_t node);

}  // namespace aftershock::sim::world
