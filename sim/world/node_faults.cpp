#include <algorithm>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/world/draining.h"
#include "sim/world/drivers.h"
#include "sim/world/injection.h"
#include "sim/world/names.h"
#include "sim/world/nodes.h"
#include "sim/world/scheduling.h"
#include "sim/world/world.h"

// Faults that end nodes: one, or all of a rack or a power domain.
namespace aftershock::sim::world {

namespace {

// Random failures of a machine are those of one at work: it has no rate while it is down or in
// repair. Its arrival comes all the same and is dropped, so that the failures of other machines do
// not depend on what a policy does with this one. Power that fails does not ask who is at work.
bool is_random(const World& world, const faults::FaultRecord& fault) {
  const auto& source = world.scenario().faults[fault.spec].source;
  return source && !source->maintenance && fault.pool && !fault.domain;
}

bool in_repair(const machines::Node& node) { return node.isolated && node.repairing; }

}  // namespace

// Down already, so the fault is masked; but power that is off, say, keeps a node down that would
// have been back before. A fault that says nothing of its length is mended by the repair under way.
void stay_down(World& world, std::uint32_t pool, std::uint32_t index, std::uint32_t number,
               std::optional<std::int64_t> lasts_us) {
  const faults::FaultRecord& fault = world.faults[number];
  if (!lasts_us || is_random(world, fault) ||
      faults::effect_of(world.scenario(), fault).until_repaired) {
    return;
  }
  const bool unknown = world.machines.stay_down(world.core, pool, index, number, *lasts_us);
  if (unknown) {
    watch_heartbeats(world, pool, index);
  }
  if (world.machines.pool(pool).node(index).down_fault == number) {
    world.faults.update(number, [](faults::FaultRecord& changed) { changed.holds = true; });
  }
}

bool crash_node(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  if (!fault.pool) {
    return false;
  }
  const auto lasts_us = faults::draw_lasts_together(world.scenario(), fault);
  for (std::uint32_t index = fault.node; index < fault.node + fault.nodes; ++index) {
    const machines::Node& node = world.machines.pool(*fault.pool).node(index);
    if (!node.present) {
      continue;
    }
    if (!node.up) {
      stay_down(world, *fault.pool, index, number, lasts_us);
      continue;
    }
    if (in_repair(node) && is_random(world, fault)) {
      continue;
    }
    // Fired by the first node that was up: a rack that was down as a whole is masked.
    if (!world.faults[number].fired) {
      fire(world, number);
    }
    node_down(world, *fault.pool, index, number, lasts_us, false);
  }
  return world.faults[number].fired;
}

bool preempt(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  if (fault.head) {
    return head_down(world, number);
  }
  if (!fault.pool) {
    return false;
  }
  const std::int64_t notice_us = faults::effect_of(world.scenario(), fault).notice_us.value_or(0);
  std::vector<workload::Job*> announced_to;
  for (std::uint32_t index = fault.node; index < fault.node + fault.nodes; ++index) {
    const machines::Node& node = world.machines.pool(*fault.pool).node(index);
    if (node.present && !node.up && notice_us == 0) {
      stay_down(world, *fault.pool, index, number,
                faults::draw_lasts_together(world.scenario(), fault));
    }
    // A node that was announced already keeps its deadline.
    if (!node.present || !node.up || node.draining ||
        (in_repair(node) && is_random(world, fault))) {
      continue;
    }
    if (!world.faults[number].fired) {
      fire(world, number);
    }
    if (notice_us == 0) {
      node_down(world, *fault.pool, index, number,
                faults::draw_lasts_together(world.scenario(), fault), false);
      continue;
    }
    world.machines.pool(*fault.pool)
        .update(index, world.now_us(), [number](machines::Node& changed) {
          changed.draining = true;
          changed.down_fault = number;
        });
    const std::int64_t gone_us =
        world.now_us() + notice_us - faults::effect_of(world.scenario(), fault).early_us;
    world.core.schedule(core::EntryKind::kNoticeOver, gone_us,
                        {.entity = index, .epoch = node.epoch, .arg = number});
    world.checker.drains(*fault.pool, index, node.epoch, gone_us);
    // Told behind the loop, when all nodes of the domain are marked: one notice names them all.
    workload::Job* job = holder(world, *fault.pool, index);
    if (job != nullptr && workload::has_processes(*job) &&
        std::ranges::find(announced_to, job) == announced_to.end()) {
      announced_to.push_back(job);
    }
  }
  if (world.faults[number].fired && notice_us > 0) {
    capacity_changed(world, *fault.pool);
  }
  for (workload::Job* job : announced_to) {
    announce(world, *job, number);
  }
  return world.faults[number].fired;
}

}  // namespace aftershock::sim::world
