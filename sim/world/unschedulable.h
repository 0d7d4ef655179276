#pragma once

#include <cstdint>

#include "sim/world/world.h"

namespace aftershock::sim::world {

/// Whether a fault is still to come that can reach a holder that waits for nodes: its driver, or
/// its pool. Experiments are counted after the jobs (holder_id()).
bool may_be_struck(const World& world, std::uint32_t waiter);

}  // namespace aftershock::sim::world
