#include <algorithm>
#include <vector>

#include "sim/world/entries.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Faults that end nodes: one, or all of a rack or a power domain.
namespace aftershock::sim {

// Down already, so the fault is masked; but it may keep the node down for longer.
void World::stay_down(std::uint32_t pool, std::uint32_t index,
                      std::optional<std::int64_t> lasts_us) {
  const Node& node = pools_[pool].node(index);
  const bool is_repaired = !lasts_us && scenario_->cluster.pools[pool].repair;
  if (!node.returns || is_repaired || (lasts_us && now_us_ + *lasts_us <= node.back_us)) {
    return;
  }
  const std::uint32_t epoch = node.epoch + 1;
  pools_[pool].update(index, now_us_, [&](Node& changed) {
    changed.epoch = epoch;
    changed.returns = lasts_us.has_value();
    changed.back_us = now_us_ + lasts_us.value_or(0);
  });
  if (lasts_us) {
    calendar_.push(now_us_ + *lasts_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kNodeBack), index, epoch, pool);
  }
  if (!node.known_down) {
    watch_heartbeats(pool, index);
  }
}

// What a fault says of its end is the same for all that it strikes; repairs go on one by one.
std::optional<std::int64_t> World::draw_lasts_together(const FaultRecord& fault) const {
  return fault.domain && !effect_of(fault).lasts ? std::nullopt : draw_lasts(fault);
}

bool World::crash_node(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  if (!fault.pool) {
    return false;
  }
  const auto lasts_us = draw_lasts_together(fault);
  for (std::uint32_t index = fault.node; index < fault.node + fault.nodes; ++index) {
    const Node& node = pools_[*fault.pool].node(index);
    if (!node.present) {
      continue;
    }
    if (!node.up) {
      stay_down(*fault.pool, index, lasts_us);
      continue;
    }
    if (!faults_[number].fired) {
      faults_[number].fired = true;
      record_fault(number);
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
    const Node& node = pools_[*fault.pool].node(index);
    if (node.present && !node.up && !notice_us) {
      stay_down(*fault.pool, index, draw_lasts_together(fault));
    }
    if (!node.present || !node.up || node.draining) {
      continue;
    }
    if (!faults_[number].fired) {
      faults_[number].fired = true;
      record_fault(number);
    }
    if (!notice_us || *notice_us == 0) {
      node_down(*fault.pool, index, number, draw_lasts_together(fault), false);
      continue;
    }
    pools_[*fault.pool].update(index, now_us_, [number](Node& changed) {
      changed.draining = true;
      changed.down_fault = number;
    });
    calendar_.push(now_us_ + *notice_us, EntryClass::kFault,
                   static_cast<std::uint16_t>(What::kNoticeOver), index, node.epoch, number);
    watchman_.drains(*fault.pool, index, node.epoch, now_us_ + *notice_us);
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
