#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "sim/scenario/scenario.h"
#include "sim/scenario/text/units.h"

// Names of places in the network: "core", heads and storages by their names, the switch of a pool
// by the pool's, that of a rack as POOL/INDEX, nodes by theirs.
namespace aftershock::sim::scenario {

/// Rack of a node slot: slots are spread over the racks in contiguous runs of even length.
std::uint32_t rack_of(const PoolSpec& pool, std::uint32_t index);

/// The failure domain of a node slot, how many there are, and what one is called.
std::uint32_t domain_of(const PoolSpec& pool, SpreadOver over, std::uint32_t index);
std::uint32_t domains_of(const PoolSpec& pool, SpreadOver over);
std::string_view name_of(SpreadOver over);

/// The place that is called so; none when there is no such.
std::optional<NamedPlace> find_place(const ClusterSpec& cluster, std::string_view name);

/// The end of the link "A/B" that is further from the core, whichever of the two is written first.
std::variant<NamedPlace, TextProblem> find_link(const ClusterSpec& cluster, std::string_view text);

/// The switch of that name.
std::variant<NamedPlace, TextProblem> find_switch(const ClusterSpec& cluster,
                                                  std::string_view name);

}  // namespace aftershock::sim::scenario
