#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/scenario/scenario.h"

// Names of nodes (scenario.md decision 3). Slots of a pool: first its nodes, POOL-0 and on; then
// its spares, POOL-spare-0 and on; then what may be provisioned, which goes on counting the nodes.
namespace aftershock::sim {

/// Name of the node in a slot, which is below max_nodes.
std::string node_name(const PoolSpec& pool, std::uint32_t slot);

/// The slot of a node of this pool, none when it has no node of that name.
std::optional<std::uint32_t> node_slot(const PoolSpec& pool, std::string_view name);

}  // namespace aftershock::sim
