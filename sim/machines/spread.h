#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/machines/pool.h"
#include "sim/scenario/scenario.h"

// Gangs that may have only so many nodes in one failure domain.
namespace aftershock::sim::machines {

/// `count` free nodes, the lowest that there are, which keep to the rule beside those of `kept`;
/// none where there are not enough.
std::optional<std::vector<std::uint32_t>> free_within(const Pool& pool,
                                                      const scenario::PoolSpec& spec,
                                                      const scenario::SpreadSpec& spread,
                                                      std::span<const std::uint32_t> kept,
                                                      std::uint32_t count);

/// The nodes of a gang of `count` that keeps to the rule, by slot: those of `before`, where it was
/// as large, which it can have again, else the lowest free ones. None where there are not enough.
std::optional<std::vector<std::uint32_t>> spread_gang(const Pool& pool,
                                                      const scenario::PoolSpec& spec,
                                                      const scenario::SpreadSpec& spread,
                                                      std::uint32_t count, const Placement& before);

}  // namespace aftershock::sim::machines
