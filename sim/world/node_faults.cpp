#include <algorithm>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Faults that end nodes: one, or all of a rack or a power domain.
namespace aftershock::sim {

// Down already, so the fault is masked; but it may keep the node down for longer.
void World::stay_down(std::uint32_t pool, std::uint32_t index,
                      std::optional<std::int64_t> lasts_us) {
  if (machines_.stay_down(core_, pool, index, lasts_us)) {
    watch_heartbeats(pool, index);
  }
}

bool World::crash_node(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  if (!fault.pool) {
    return false;
  }
  const auto lasts_us = draw_lasts_together(core_.scenario(), fault);
  for (std::uint32_t index = fault.node; index < fault.node + fault.nodes; ++index) {
    const Node& node = machines_.pool(*fault.pool).node(index);
    if (!node.present) {
      continue;
    }
    if (!node.up) {
      stay_down(*fault.pool, index, lasts_us);
      continue;
    }
    if (!faults_[number].fired) {
      fire(number);
    }
    node_down(*fault.pool, index, number, lasts_us, false);
  }
  return faults_[number].fired;
}

bool World::preempt(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  if (fault.head) {
    return head_down(number);
  }
  if (!fault.pool) {
    return false;
  }
  const auto& notice_us = effect_of(fault).notice_us;
  std::vector<Job*> announced_to;
  for (std::uint32_t index = fault.node; index < fault.node + fault.nodes; ++index) {
    const Node& node = machines_.pool(*fault.pool).node(index);
    if (node.present && !node.up && !notice_us) {
      stay_down(*fault.pool, index, draw_lasts_together(core_.scenario(), fault));
    }
    if (!node.present || !node.up || node.draining) {
      continue;
    }
    if (!faults_[number].fired) {
      fire(number);
    }
    if (!notice_us || *notice_us == 0) {
      node_down(*fault.pool, index, number, draw_lasts_together(core_.scenario(), fault), false);
      continue;
    }
    machines_.pool(*fault.pool).update(index, core_.now_us(), [number](Node& changed) {
      changed.draining = true;
      changed.down_fault = number;
    });
    core_.schedule(EntryKind::kNoticeOver, core_.now_us() + *notice_us,
                   {.entity = index, .epoch = node.epoch, .arg = number});
    checker_.drains(*fault.pool, index, node.epoch, core_.now_us() + *notice_us);
    Job* job = holder(*fault.pool, index);
    if (job != nullptr && has_processes(*job) &&
        std::ranges::find(announced_to, job) == announced_to.end()) {
      announced_to.push_back(job);
    }
  }
  if (faults_[number].fired && notice_us && *notice_us > 0) {
    capacity_changed(*fault.pool);
  }
  for (Job* job : announced_to) {
    announce(*job, number);
  }
  return faults_[number].fired;
}

}  // namespace aftershock::sim
