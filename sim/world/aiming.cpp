#include "sim/faults/source.h"
#include "sim/world/arrivals.h"
#include "sim/world/world.h"

// Whom a fault strikes: as its target says, by chance where that is more than one.
namespace aftershock::sim {

void World::resolve_target(const FaultSpec& spec, FaultRecord& fault) {
  const Occurrence* listed = occurrence_of(*scenario_, fault);
  if (listed != nullptr && !listed->target) {
    return;
  }
  const Target& target = listed != nullptr ? *listed->target : spec.target;
  if (target.kind == TargetKind::kHead) {
    fault.head = target.head;
    return;
  }
  if (target.kind == TargetKind::kStorage) {
    fault.storage = target.storage;
    return;
  }
  const bool of_racks = spec.target.kind == TargetKind::kPool;  // the switch of one of its racks
  if (target.kind == TargetKind::kLink || (target.kind == TargetKind::kSwitch && !of_racks)) {
    if (target.end.kind == PlaceKind::kNode) {
      fault.pool = target.end.pool;
      fault.node = target.end.index;
    }
    return;
  }
  if (target.kind == TargetKind::kExperiment || target.kind == TargetKind::kTrial) {
    resolve_trial(target, fault, fault.trial_of_step);
    return;
  }
  if (Arrivals(*this).resolve(spec, target, fault)) {
    return;
  }
  const RandomDraw draw(fault_key(*scenario_, fault.spec, fault.branch), fault.nth,
                        Purpose::kTarget);
  if (target.kind == TargetKind::kJob || target.kind == TargetKind::kRank) {
    const Job& job = jobs_[target.job];
    fault.job = target.job;
    fault.rank = target.kind == TargetKind::kRank
                     ? target.rank
                     : draw_index(scenario_->jobs[target.job].workers, draw);
    if ((has_processes(job) || waits_for_others(job, fault.rank)) && fault.rank < job.workers) {
      const PoolSpec& pool = scenario_->cluster.pools[scenario_->jobs[target.job].pool];
      fault.pool = scenario_->jobs[target.job].pool;
      fault.node = job.placement.slots[fault.rank / pool.accelerators_per_node];
      fault.accelerator = fault.rank % pool.accelerators_per_node;
    }
    return;
  }
  const PoolSpec& pool = scenario_->cluster.pools[target.pool];
  fault.pool = target.pool;
  fault.node = target.index;
  std::uint32_t accelerator = target.accelerator;
  if (target.kind == TargetKind::kPool || target.kind == TargetKind::kRack) {
    const RackSlots slots = target.kind == TargetKind::kPool ? RackSlots{0, pool.max_nodes}
                                                             : rack_slots(pool, target.index);
    const std::uint32_t drawn = draw_index(slots.count * pool.accelerators_per_node, draw);
    fault.node = slots.first + drawn / pool.accelerators_per_node;
    accelerator = drawn % pool.accelerators_per_node;
  } else if (target.kind == TargetKind::kNode) {
    accelerator = draw_index(pool.accelerators_per_node, draw);
  }
  fault.accelerator = accelerator;
  resolve_rank(fault);
  resolve_trial_on_node(fault);
}

// Whose process uses the accelerator.
void World::resolve_rank(FaultRecord& fault) {
  const Job* job = holder(*fault.pool, fault.node);
  if (job == nullptr) {
    return;
  }
  const std::uint32_t rank = pools_[*fault.pool].node(fault.node).slot *
                                 scenario_->cluster.pools[*fault.pool].accelerators_per_node +
                             *fault.accelerator;
  if (rank < job->workers && (has_processes(*job) || waits_for_others(*job, rank))) {
    fault.job = job->index;
    fault.rank = rank;
  }
}

}  // namespace aftershock::sim
