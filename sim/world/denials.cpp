#include <algorithm>

#include "sim/world/entries.h"
#include "sim/world/machine_trouble.h"

// Pools that give out no machines for a time: the market is empty, or a quota is used up.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

bool MachineTrouble::deny(std::uint32_t number) {
  const FaultRecord fault = world_.faults_[number];
  Pool& pool = world_.pools_[*fault.pool];
  world_.faults_[number].fired = true;
  world_.record_fault(number);
  if (world_.effect_of(fault).machine.spares_too) {
    const PoolSpec& spec = world_.scenario_->cluster.pools[*fault.pool];
    for (std::uint32_t node = spec.nodes; node < spec.nodes + spec.spares; ++node) {
      if (!pool.taken(node)) {
        pool.update(node, world_.now_us_, [](Node& changed) { changed.withheld = true; });
      }
    }
    world_.capacity_changed(*fault.pool);
  }
  world_.denials_.push_back({*fault.pool, number});
  world_.calendar_.push(world_.now_us_ + world_.draw_lasts(fault).value_or(0), EntryClass::kFault,
                        static_cast<std::uint16_t>(What::kDenialOver), 0, 0, number);
  return true;
}

bool MachineTrouble::denied(std::uint32_t pool) const {
  return std::ranges::find(world_.denials_, pool, &Denial::pool) != world_.denials_.end();
}

// Who still waits asks again.
void MachineTrouble::denial_over(std::uint32_t number) {
  const std::uint32_t pool_index = *world_.faults_[number].pool;
  Pool& pool = world_.pools_[pool_index];
  std::erase_if(world_.denials_, [&](const Denial& denial) { return denial.fault == number; });
  world_.recorder_.instant(world_.now_us_, {EntityKind::kPool, pool_index}, "capacity_back",
                           {{"fault", number}});
  const bool others_withhold = std::ranges::any_of(world_.denials_, [&](const Denial& denial) {
    return denial.pool == pool_index &&
           world_.effect_of(world_.faults_[denial.fault]).machine.spares_too;
  });
  for (std::uint32_t node = 0; node < pool.size() && !others_withhold; ++node) {
    if (pool.node(node).withheld) {
      pool.update(node, world_.now_us_, [](Node& changed) { changed.withheld = false; });
    }
  }
  world_.serve_queue(pool_index);
  for (Job& job : world_.jobs_) {
    if (world_.spec(job).pool != pool_index || job.stage != Stage::kQueued || !job.waiting) {
      continue;
    }
    world_.ask_replacements(job);
    if (job.stage == Stage::kQueued && pool.provisioning() > 0) {
      world_.set_phase(job, Phase::kProvisioning,
                       job.start_cause.is_fault() ? job.start_cause : Cause::queue());
    }
  }
}

}  // namespace aftershock::sim
