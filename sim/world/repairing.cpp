#include <algorithm>
#include <optional>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/controlling.h"
#include "sim/world/devices.h"
#include "sim/world/machine_faults.h"
#include "sim/world/names.h"
#include "sim/world/node_objects.h"
#include "sim/world/nodes.h"
#include "sim/world/scheduling.h"
#include "sim/world/trial_places.h"
#include "sim/world/world.h"

// Repairs of nodes and their devices (modelarts.md 5.4).
namespace aftershock::sim::world {

// The effect of the fault on its accelerator is over, if it is not already.
void repair_device(World& world, std::uint32_t fault) {
  if (const auto pool = world.machines.repair_device(world.core, fault)) {
    serve_queue(world, *pool);
  }
}

void accelerator_back(World& world, std::uint32_t fault) {
  if (world.machines.device_ends(fault)) {
    repair_device(world, fault);
  }
}

void begin_repairs(World& world) {
  for (const auto& [repair, over_us] : world.machines.begin_repairs(world.core)) {
    if (repair.of == machines::RepairOf::kIsolation) {
      const machines::Node& node = world.machines.pool(repair.pool).node(repair.node);
      world.checker.isolated(repair.pool, repair.node, node.epoch, over_us);
    }
  }
}

void health_check(World& world, std::uint32_t fault) {
  world.machines.find_device(world.core, fault);
  capacity_changed(world, *world.faults[fault].pool);
}

// Of a node that was isolated.
void begin_repair(World& world, std::uint32_t pool, std::uint32_t node) {
  if (const auto over_us = world.machines.begin_repair(world.core, pool, node)) {
    world.checker.isolated(pool, node, world.machines.pool(pool).node(node).epoch, *over_us);
  }
}

void isolation_over(World& world, std::uint32_t pool, std::uint32_t node) {
  world.machines.end_repairs(world.core, pool, node);
  world.machines.forget_failed_devices(world.core, pool, node);
  world.core.recorder().instant(world.now_us(), {reports::EntityKind::kNode, pool, node},
                                "repaired");
  world.ailments.cure_lemons(world.core, world.faults, pool, node);
  const workload::Job* user = holder(world, pool, node);
  const bool used = experiment_on(world, pool, node) != nullptr ||
                    (user != nullptr && workload::has_processes(*user));
  if (world.machines.pool(pool).node(node).isolated_until_released) {
    world.machines.pool(pool).update(node, world.now_us(),
                                     [](machines::Node& changed) { changed.repairing = false; });
  } else if (!world.scenario().cluster.pools[pool].repaired_stay_away) {
    world.machines.pool(pool).update(node, world.now_us(),
                                     [](machines::Node& changed) { changed.isolated = false; });
    machine_back(world, pool, node);
    serve_queue(world, pool);
  } else if (used) {
    // A job that goes on with the node all the same does not get it again.
    world.machines.pool(pool).update(node, world.now_us(),
                                     [](machines::Node& changed) { changed.repairing = false; });
  } else {
    world.machines.retire(world.core, pool, node);
    serve_queue(world, pool);
  }
}

namespace {

// The node's own agent is up again, and says of the processes that were there that they ended.
void tell_ended(World& world, std::uint32_t pool, std::uint32_t node) {
  workload::Job* job = watcher(world, pool, node);
  if (job == nullptr || !workload::has_processes(*job) ||
      job->stage == workload::Stage::kTearingDown) {
    return;
  }
  const auto lost = std::ranges::find_if(
      job->detection.failures,
      [&](const detection::RankFailure& failure) { return failure.node == node && failure.gone; });
  if (lost != job->detection.failures.end()) {
    forget_objects(world, *job, node);
    notify(world, *job,
           policies::NodeJoined{.node = node_number(world.scenario(), pool, node),
                                .alive = false,
                                .ranks = lost->ranks});
  }
}

}  // namespace

void node_back(World& world, std::uint32_t pool, std::uint32_t node) {
  // A node that comes back has been away: that shows now, if not before.
  node_dead_known(world, pool, node);
  const scenario::FaultEffect& effect = faults::effect_of(
      world.scenario(), world.faults[world.machines.pool(pool).node(node).down_fault]);
  const bool repaired = effect.kind == scenario::FaultKind::kLemonNode ||
                        (!effect.lasts && effect.kind != scenario::FaultKind::kPreemption);
  if (world.machines.come_back(world.core, world.faults, pool, node)) {
    if (repaired) {
      world.ailments.cure_lemons(world.core, world.faults, pool, node);
    }
    machine_back(world, pool, node);
    tell_ended(world, pool, node);
    end_objects(world, pool, node);
    world.machines.count_up(world.core, pool);
  } else {
    replace_objects(world, pool, node);
  }
  serve_queue(world, pool);
}

}  // namespace aftershock::sim::world
