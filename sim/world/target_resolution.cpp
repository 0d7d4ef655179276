#include "sim/world/target_resolution.h"

#include "sim/chance/draws.h"
#include "sim/faults/source.h"
#include "sim/world/nodes.h"
#include "sim/world/trial_faults.h"
#include "sim/world/trial_places.h"
#include "sim/world/world.h"

// The target of a fault: as the scenario says, by chance where that is more than one.
namespace aftershock::sim::world {

void TargetResolution::resolve(const scenario::FaultSpec& spec, faults::FaultRecord& fault) const {
  resolve_place(spec, fault);
  // A cut is of the node alone: a list that names the node says all about it.
  if (fault.pool && faults::cuts_one_node(world_.scenario(), fault)) {
    fault.accelerator = 0;
    fault.job.reset();
    fault.rank = 0;
    fault.experiment.reset();
    fault.trial = 0;
    resolve_rank(fault);
    resolve_trial_on_node(fault);
  }
}

void TargetResolution::resolve_place(const scenario::FaultSpec& spec,
                                     faults::FaultRecord& fault) const {
  const scenario::Occurrence* listed = faults::occurrence_of(world_.scenario(), fault);
  // It found nobody in the run that was exported, and finds nobody again.
  if (listed != nullptr && !listed->target) {
    return;
  }
  const scenario::Target& target = listed != nullptr ? *listed->target : spec.target;
  if (target.kind == scenario::TargetKind::kHead) {
    fault.head = target.head;
    return;
  }
  if (target.kind == scenario::TargetKind::kStorage) {
    fault.storage = target.storage;
    return;
  }
  const bool of_racks =
      spec.target.kind == scenario::TargetKind::kPool;  // the switch of one of its racks
  if (target.kind == scenario::TargetKind::kLink ||
      (target.kind == scenario::TargetKind::kSwitch && !of_racks)) {
    if (target.end.kind == scenario::PlaceKind::kNode) {
      fault.pool = target.end.pool;
      fault.node = target.end.index;
    }
    return;
  }
  if (target.kind == scenario::TargetKind::kExperiment ||
      target.kind == scenario::TargetKind::kTrial) {
    resolve_trial(target, fault, fault.trial_of_step);
    return;
  }
  if (resolve_by_source(spec, target, fault)) {
    return;
  }
  if (target.kind == scenario::TargetKind::kAgent) {
    resolve_agent(target, fault);
    return;
  }
  const chance::RandomDraw draw(faults::fault_key(world_.scenario(), fault.spec, fault.branch),
                                fault.nth, chance::Purpose::kTarget);
  if (target.kind == scenario::TargetKind::kJob || target.kind == scenario::TargetKind::kRank) {
    resolve_in_job(target, draw, fault);
    return;
  }
  const scenario::PoolSpec& pool = world_.scenario().cluster.pools[target.pool];
  fault.pool = target.pool;
  fault.node = target.index;
  std::uint32_t accelerator = target.accelerator;
  if (target.kind == scenario::TargetKind::kPool || target.kind == scenario::TargetKind::kRack) {
    const faults::RackSlots slots = target.kind == scenario::TargetKind::kPool
                                        ? faults::RackSlots{0, pool.max_nodes}
                                        : faults::rack_slots(pool, target.index);
    // Empty slots take part in the draw as they do in the rate (units_of()).
    const std::uint32_t drawn = chance::draw_index(slots.count * pool.accelerators_per_node, draw);
    fault.node = slots.first + drawn / pool.accelerators_per_node;
    accelerator = drawn % pool.accelerators_per_node;
  } else if (target.kind == scenario::TargetKind::kNode) {
    accelerator = chance::draw_index(pool.accelerators_per_node, draw);
  }
  fault.accelerator = accelerator;
  resolve_rank(fault);
  resolve_trial_on_node(fault);
}

void TargetResolution::resolve_in_job(const scenario::Target& target,
                                      const chance::RandomDraw& draw,
                                      faults::FaultRecord& fault) const {
  const workload::Job& job = world_.jobs[target.job];
  const scenario::JobSpec& spec = world_.scenario().jobs[target.job];
  fault.job = target.job;
  // Drawn from the ranks of its full size, whatever it has now: one that is not there is missed.
  fault.rank = target.kind == scenario::TargetKind::kRank ? target.rank
                                                          : chance::draw_index(spec.workers, draw);
  if ((workload::has_processes(job) || workload::waits_for_others(job, fault.rank)) &&
      fault.rank < job.workers) {
    const std::uint32_t per_node = world_.scenario().cluster.pools[spec.pool].accelerators_per_node;
    fault.pool = spec.pool;
    fault.node = job.placement.slots[fault.rank / per_node];
    fault.accelerator = fault.rank % per_node;
  }
}

// The node that it runs on, by the place of that in the job.
void TargetResolution::resolve_agent(const scenario::Target& target,
                                     faults::FaultRecord& fault) const {
  const workload::Job& job = world_.jobs[target.job];
  const std::uint32_t pool = world_.scenario().jobs[target.job].pool;
  fault.job = target.job;
  fault.rank = target.agent * world_.scenario().cluster.pools[pool].accelerators_per_node;
  if (workload::has_processes(job) && target.agent < job.placement.slots.size()) {
    fault.pool = pool;
    fault.node = job.placement.slots[target.agent];
  }
}

// The job and rank whose process uses the accelerator.
void TargetResolution::resolve_rank(faults::FaultRecord& fault) const {
  const workload::Job* job = holder(world_, *fault.pool, fault.node);
  if (job == nullptr) {
    return;
  }
  const std::uint32_t rank =
      world_.machines.pools()[*fault.pool].node(fault.node).slot *
          world_.scenario().cluster.pools[*fault.pool].accelerators_per_node +
      *fault.accelerator;
  if (rank < job->workers &&
      (workload::has_processes(*job) || workload::waits_for_others(*job, rank))) {
    fault.job = job->index;
    fault.rank = rank;
  }
}

void TargetResolution::resolve_trial(const scenario::Target& target, faults::FaultRecord& fault,
                                     std::optional<std::uint32_t> trial_of_step) const {
  const workload::Experiment& experiment = world_.experiments[target.experiment];
  if (target.kind == scenario::TargetKind::kTrial) {
    fault.trial = target.trial;
  } else if (trial_of_step) {
    fault.trial = *trial_of_step;
  } else if (!experiment.running.empty()) {
    const chance::RandomDraw draw(faults::fault_key(world_.scenario(), fault.spec, fault.branch),
                                  fault.nth, chance::Purpose::kTarget);
    fault.trial = experiment.running[chance::draw_index(
        static_cast<std::uint32_t>(experiment.running.size()), draw)];
  } else {
    return;
  }
  fault.experiment = target.experiment;
  const workload::Trial& trial = experiment.trials[fault.trial];
  if (!trial.place.empty()) {
    fault.pool = target.pool;
    fault.node = experiment.places.node(trial.place.held.front());
    fault.accelerator = experiments::first_accelerator(experiment.shape, trial.place.slot);
  }
}

void TargetResolution::resolve_trial_on_node(faults::FaultRecord& fault) const {
  if (const std::vector<std::uint32_t> trials = trials_using(world_, fault); !trials.empty()) {
    fault.experiment = experiment_on(world_, *fault.pool, fault.node)->index;
    fault.trial = trials.front();
  }
}

}  // namespace aftershock::sim::world
