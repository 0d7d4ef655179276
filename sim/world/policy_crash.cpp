#include "sim/core/entry_kind.h"
#include "sim/world/world.h"

// Policies whose process is killed, and started again while its head stands.
namespace aftershock::sim {

bool World::crash_policy(std::uint32_t number) {
  const Target target = core_.scenario().faults[faults_[number].spec].target;
  // Of a job or an experiment, by its own words for the same.
  const auto kill = [&](auto& owner, bool lives, std::uint32_t id, auto driver_is_lost) {
    if (!lives || !owner.driver_up) {
      return false;
    }
    // What it strikes runs on a head, wherever the rank is that was drawn.
    faults_.update(number, [](FaultRecord& fault) {
      fault.pool.reset();
      fault.accelerator.reset();
    });
    fire(number);
    (this->*driver_is_lost)(owner, number);
    owner.host.kill();
    // The checkpoints are there still, but nobody knows which of them count.
    if (const auto stored = stored_runs_.find(owner.run_key);
        stored != stored_runs_.end() && !effect_of(faults_[number]).state_kept) {
      stored->second.durable.clear();
    }
    core_.schedule(EntryKind::kPolicyBack,
                   core_.now_us() + draw_lasts(core_.scenario(), faults_[number]).value_or(0),
                   {.entity = id, .epoch = owner.drivers});
    return true;
  };
  if (target.kind == TargetKind::kExperiment) {
    Experiment& experiment = experiments_[target.experiment];
    return kill(experiment, !experiment.ended, job_id(experiment), &World::experiment_driver_lost);
  }
  Job& job = jobs_[target.job];
  return kill(job, job.ledger && job.stage != Stage::kEnded, target.job, &World::driver_lost);
}

// Unless its head has gone down meanwhile, or has come back and brought another.
void World::policy_back(std::uint32_t job, std::uint32_t drivers) {
  if (job < jobs_.size()) {
    Job& one = jobs_[job];
    const bool may_run = !on_head(one) || heads_[spec(one).head].up;
    if (one.stage != Stage::kEnded && !one.driver_up && one.drivers == drivers && may_run) {
      start_driver(one);
    }
    return;
  }
  Experiment& experiment = experiments_[job - jobs_.size()];
  if (experiment.drivers == drivers && heads_[spec(experiment).head].up) {
    experiment_driver_started(experiment);
  }
}

}  // namespace aftershock::sim
