#include <algorithm>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/machines/machines.h"

// Repairs by a crew that has not enough people for all at once.
namespace aftershock::sim::machines {

using reports::EntityKind;

void Machines::ask_crew(core::RunCore& core, const Repair& repair) {
  Repair asked = repair;
  asked.asked_us = core.now_us();
  crew_.ask(asked);
  core.recorder().instant(core.now_us(), {EntityKind::kNode, repair.pool, repair.node},
                          "awaits_crew");
  // Behind all that breaks in this microsecond: the lowest node of those goes first.
  core.schedule(core::EntryKind::kRepairsBegin, core.now_us());
}

std::vector<BegunRepair> Machines::begin_repairs(core::RunCore& core) {
  std::vector<BegunRepair> begun;
  while (const auto next = crew_.begin()) {
    Pool& pool = pools_[next->pool];
    const Node& node = pool.node(next->node);
    std::int64_t over_us = core.now_us() + next->takes_us;
    core.recorder().instant(core.now_us(), {EntityKind::kNode, next->pool, next->node},
                            "repair_begins");
    switch (next->of) {
      case RepairOf::kNode:
        // Power that is off, say, keeps it down for longer.
        over_us = std::max(over_us, node.back_us);
        pool.update(next->node, core.now_us(), [over_us](Node& changed) {
          changed.awaits_crew = false;
          changed.back_us = over_us;
        });
        core.schedule(core::EntryKind::kNodeBack, over_us,
                      {.entity = next->node, .epoch = node.epoch, .arg = next->pool});
        break;
      case RepairOf::kIsolation:
        pool.update(next->node, core.now_us(), [](Node& changed) {
          changed.awaits_crew = false;
          changed.repairing = true;
        });
        core.schedule(core::EntryKind::kIsolationOver, over_us,
                      {.entity = next->node, .epoch = node.isolations, .arg = next->pool});
        break;
      case RepairOf::kDevice:
        core.schedule(core::EntryKind::kAcceleratorBack, over_us, {.arg = next->fault});
        break;
    }
    begun.push_back({*next, over_us});
  }
  return begun;
}

void Machines::end_repairs(core::RunCore& core, std::uint32_t pool, std::uint32_t node) {
  if (!crew_.limited()) {
    return;
  }
  if (crew_.leave(pool, node)) {
    core.schedule(core::EntryKind::kRepairsBegin, core.now_us());
  }
  if (pools_[pool].node(node).awaits_crew) {
    pools_[pool].update(node, core.now_us(), [](Node& changed) { changed.awaits_crew = false; });
  }
}

}  // namespace aftershock::sim::machines
