#include <algorithm>
#include <optional>

#include "base/assert.h"
#include "policies/device_codes/device_need.h"
#include "sim/chance/draws.h"
#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/machines/machines.h"

// Accelerators that failed, and nodes that are kept from the scheduler (modelarts.md 5.4).
namespace aftershock::sim::machines {

using reports::EntityKind;

void Machines::break_device(core::RunCore& core, FailedDevice device) {
  device.found = false;
  failed_devices_.push_back(device);
  const scenario::HealthCheckSpec& check = core.scenario().cluster.health_check;
  // A passing fault ends with the process that it hit: the node stays fit for the next attempt.
  if (!device.lasting || !check.finds[static_cast<std::size_t>(device.needs)]) {
    return;
  }
  switch (check.when) {
    case scenario::HealthCheckWhen::kNone:
      break;
    case scenario::HealthCheckWhen::kPlacement:
      find_device(core, device.fault);
      break;
    case scenario::HealthCheckWhen::kPeriodic:
      core.schedule(core::EntryKind::kHealthCheck,
                    (core.now_us() / check.every_us + 1) * check.every_us, {.arg = device.fault});
      break;
  }
}

void Machines::find_device(core::RunCore& core, std::uint32_t fault) {
  const auto device = std::ranges::find(failed_devices_, fault, &FailedDevice::fault);
  if (device == failed_devices_.end() || device->found) {
    return;
  }
  device->found = true;
  pools_[device->pool].update(device->node, core.now_us(),
                              [](Node& changed) { ++changed.bad_accelerators; });
}

bool Machines::devices_return(std::uint32_t pool, std::uint32_t node) const {
  return std::ranges::all_of(failed_devices_, [&](const FailedDevice& device) {
    return device.pool != pool || device.node != node || !device.found || device.ends;
  });
}

std::optional<std::uint32_t> Machines::repair_device(core::RunCore& core, std::uint32_t fault) {
  const auto found = std::ranges::find(failed_devices_, fault, &FailedDevice::fault);
  if (found == failed_devices_.end()) {
    return std::nullopt;
  }
  const FailedDevice repaired = *found;
  failed_devices_.erase(found);
  if (crew_.leave_device(fault)) {
    core.schedule(core::EntryKind::kRepairsBegin, core.now_us());
  }
  // The pool withheld no node for one that nobody had found, so it gains none.
  if (!repaired.found) {
    return std::nullopt;
  }
  pools_[repaired.pool].update(repaired.node, core.now_us(), [](Node& changed) {
    AFTERSHOCK_ASSERT(changed.bad_accelerators > 0);
    --changed.bad_accelerators;
  });
  return repaired.pool;
}

void Machines::forget_failed_devices(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  bool freed = false;
  std::erase_if(failed_devices_, [&](const FailedDevice& failed) {
    const bool forgotten = failed.pool == pool && failed.node == node;
    freed = (forgotten && crew_.leave_device(failed.fault)) || freed;
    return forgotten;
  });
  if (freed) {
    core.schedule(core::EntryKind::kRepairsBegin, core.now_us());
  }
  if (pools_[pool].node(node).bad_accelerators > 0) {
    pools_[pool].update(node, core.now_us(), [](Node& changed) { changed.bad_accelerators = 0; });
  }
}

void Machines::compute_resumed(std::uint32_t pool, const NodeBits& nodes) {
  std::erase_if(failed_devices_, [&](const FailedDevice& failed) {
    return !failed.lasting && failed.pool == pool && nodes[failed.node];
  });
}

void Machines::isolate(core::RunCore& core, std::uint32_t pool, std::uint32_t node,
                       std::uint32_t by_job, bool until_released) {
  pools_[pool].update(node, core.now_us(), [by_job, until_released](Node& changed) {
    changed.isolated = true;
    changed.isolated_until_released = until_released;
    changed.isolated_by = by_job;
    ++changed.isolations;
  });
}

// One that is down comes back when that is over; one that still works is repaired now, by the worst
// of all that is bad on it.
std::optional<std::int64_t> Machines::begin_repair(core::RunCore& core, std::uint32_t pool,
                                                   std::uint32_t node) {
  const scenario::PoolSpec& pool_spec = core.scenario().cluster.pools[pool];
  const Node& before = pools_[pool].node(node);
  AFTERSHOCK_ASSERT(before.isolated);
  std::optional<policies::DeviceNeed> need;
  for (const FailedDevice& failed : failed_devices_) {
    if (failed.pool == pool && failed.node == node) {
      // One repair mends all accelerators of a node, so the most thorough one sets its length.
      need = std::max(need, std::optional(failed.needs));
    }
  }
  const auto& law =
      need ? pool_spec.device_repairs[static_cast<std::size_t>(*need)] : pool_spec.repair;
  const bool repaired = law && before.up;
  const bool waits = repaired && crew_.limited();
  const bool repairing = repaired && !waits;
  core.recorder().instant(core.now_us(), {EntityKind::kNode, pool, node}, "isolated",
                          {{"needs", 0, need ? policies::name_of(*need) : "repair"}});
  pools_[pool].update(node, core.now_us(),
                      [repairing](Node& changed) { changed.repairing = repairing; });
  if (!repaired) {
    return std::nullopt;
  }
  // The first of a machine's isolations has the number that its machine has.
  const std::uint64_t nth = (std::uint64_t{before.isolations - 1} << 32U) | before.epoch;
  const chance::RandomDraw draw(faults::node_key(core.scenario(), pool, node, core.branch()), nth,
                                chance::Purpose::kRepair);
  if (waits) {
    // One repair mends all: nobody works on its accelerators one by one any more.
    end_repairs(core, pool, node);
    pools_[pool].update(node, core.now_us(), [](Node& changed) { changed.awaits_crew = true; });
    ask_crew(core, {.of = RepairOf::kIsolation,
                    .pool = pool,
                    .node = node,
                    .takes_us = chance::draw_us(*law, draw)});
    return std::nullopt;
  }
  const std::int64_t over_us = core.now_us() + chance::draw_us(*law, draw);
  core.schedule(core::EntryKind::kIsolationOver, over_us,
                {.entity = node, .epoch = before.isolations, .arg = pool});
  return over_us;
}

void Machines::plan_device_end(core::RunCore& core, const FailedDevice& device,
                               std::int64_t lasts_us) {
  const Node& node = pools_[device.pool].node(device.node);
  if (!device.repair_us || !crew_.limited()) {
    core.schedule(core::EntryKind::kAcceleratorBack, core.now_us() + lasts_us,
                  {.arg = device.fault});
  } else if (node.up && !(node.isolated && node.repairing) && !node.awaits_crew) {
    // Else the repair of its node mends it, too.
    ask_crew(core, {.of = RepairOf::kDevice,
                    .pool = device.pool,
                    .node = device.node,
                    .fault = device.fault,
                    .takes_us = *device.repair_us});
  }
}

void Machines::release(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  pools_[pool].update(node, core.now_us(), [](Node& changed) { changed.isolated = false; });
  // The repair of one that is down goes on.
  if (!crew_.limited() || !pools_[pool].node(node).up) {
    return;
  }
  end_repairs(core, pool, node);
  for (const FailedDevice& device : failed_devices_) {
    if (device.pool == pool && device.node == node && device.repair_us) {
      plan_device_end(core, device, *device.repair_us);
    }
  }
}

bool Machines::device_ends(std::uint32_t fault) const {
  const auto device = std::ranges::find(failed_devices_, fault, &FailedDevice::fault);
  return device != failed_devices_.end() &&
         (!device->repair_us || !crew_.limited() || crew_.mends_device(fault));
}

std::uint32_t Machines::begin_healing(const Healing& healing) {
  healings_.push_back(healing);
  return static_cast<std::uint32_t>(healings_.size()) - 1;
}

}  // namespace aftershock::sim::machines
