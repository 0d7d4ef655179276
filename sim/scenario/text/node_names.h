#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/scenario.h"

// Names of nodes (scenario.md decision 3). Slots of a pool: first its nodes, POOL-0 and on; then
// its spares, POOL-spare-0 and on; then what may be provisioned, which goes on counting the nodes.
namespace aftershock::sim::scenario {

/// `count` nodes named prefix + number, from `first` on.
struct NodeRange {
  std::string prefix;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// The pool's nodes by slot; no range is empty.
std::vector<NodeRange> node_ranges(const PoolSpec& pool);

/// Name of the node in a slot, which is below max_nodes.
std::string node_name(const PoolSpec& pool, std::uint32_t slot);

/// The slot of a node of this pool, none when it has no node of that name.
std::optional<std::uint32_t> node_slot(const PoolSpec& pool, std::string_view name);

}  // namespace aftershock::sim::scenario
