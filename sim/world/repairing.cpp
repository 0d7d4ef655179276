#include <algorithm>
#include <optional>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// What is bad on a node, and how it is made well again (modelarts.md 5.4).
namespace aftershock::sim {

// What the fault did to its accelerator is over, if it is not already.
void World::repair_device(std::uint32_t fault) {
  if (const auto pool = machines_.repair_device(core_, fault)) {
    serve_queue(*pool);
  }
}

// Of a node that was isolated.
void World::begin_repair(std::uint32_t pool, std::uint32_t node) {
  if (const auto over_us = machines_.begin_repair(core_, faults_, pool, node)) {
    checker_.isolated(pool, node, machines_.pool(pool).node(node).epoch, *over_us);
  }
}

void World::isolation_over(std::uint32_t pool, std::uint32_t node) {
  machines_.forget_failed_devices(core_, pool, node);
  core_.recorder().instant(core_.now_us(), {reports::EntityKind::kNode, pool, node}, "repaired");
  const Job* user = holder(pool, node);
  const bool used =
      experiment_on(pool, node) != nullptr || (user != nullptr && has_processes(*user));
  if (!core_.scenario().cluster.pools[pool].repaired_stay_away) {
    machines_.pool(pool).update(node, core_.now_us(),
                                [](Node& changed) { changed.isolated = false; });
    MachineTrouble(*this).machine_back(pool, node);
    serve_queue(pool);
  } else if (used) {
    // Whoever goes on with it all the same does not get it again.
    machines_.pool(pool).update(node, core_.now_us(),
                                [](Node& changed) { changed.repairing = false; });
  } else {
    machines_.retire(core_, pool, node);
    serve_queue(pool);
  }
}

void World::node_back(std::uint32_t pool, std::uint32_t node) {
  // Who comes back has been away: that shows now, if not before.
  node_dead_known(pool, node);
  if (machines_.come_back(core_, faults_, pool, node)) {
    MachineTrouble(*this).machine_back(pool, node);
    machines_.count_up(core_, pool);
  }
  serve_queue(pool);
}

}  // namespace aftershock::sim
