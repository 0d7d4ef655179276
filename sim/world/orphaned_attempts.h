#pragma once

#include <cstdint>
#include <vector>

#include "sim/orphans/orphans.h"

namespace aftershock::sim::workload {
struct Job;
}  // namespace aftershock::sim::workload

// Workers and whole attempts that live on although their job has gone on without them.
namespace aftershock::sim::world {

struct World;

/// The account of each job has what its zombies have kept busy until they ended.
void account_stale(World& world, const std::vector<orphans::StaleTime>& stale);

/// An attempt that is stopped while it trains goes on as a whole, and saves, where a cut keeps the
/// stop from all its nodes and they see each other. Otherwise nothing happens.
void orphan_attempt(World& world, workload::Job& job);

/// The attempt is over, and its ranks on nodes that hear no command are not: they live on as
/// zombies until their collective gives up or the node hears again. Ranks of an orphaned attempt
/// see each other and never give up.
void leave_behind(World& world, workload::Job& job);

/// A checkpoint of an orphaned attempt arrives. With fencing it is refused, and the attempt ends; a
/// controller that commits checkpoints never counts it; a script that counts its own does, which
/// violates S07.
void orphan_writes(World& world, std::uint32_t number);

}  // namespace aftershock::sim::world
