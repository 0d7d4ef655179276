#include "sim/core/entry_kind.h"
#include "sim/world/drivers.h"
#include "sim/world/experiments.h"
#include "sim/world/injection.h"
#include "sim/world/nodes.h"
#include "sim/world/world.h"

// Policies whose process is killed, and started again while its head stands.
namespace aftershock::sim {

bool crash_policy(World& world, std::uint32_t number) {
  const Target target = world.scenario().faults[world.faults[number].spec].target;
  // Of a job or an experiment, by its own words for the same.
  const auto kill = [&]<typename Owner>(Owner& owner, bool lives, std::uint32_t id,
                                        void (*driver_is_lost)(World&, Owner&, std::uint32_t)) {
    if (!lives || !owner.driver_up) {
      return false;
    }
    // What it strikes runs on a head, wherever the rank is that was drawn.
    world.faults.update(number, [](FaultRecord& fault) {
      fault.pool.reset();
      fault.accelerator.reset();
    });
    fire(world, number);
    driver_is_lost(world, owner, number);
    owner.host.kill();
    // The checkpoints are there still, but nobody knows which of them count.
    if (const auto stored = world.stored_runs.find(owner.run_key);
        stored != world.stored_runs.end() &&
        !effect_of(world.scenario(), world.faults[number]).state_kept) {
      stored->second.durable.clear();
    }
    world.core.schedule(
        EntryKind::kPolicyBack,
        world.now_us() + draw_lasts(world.scenario(), world.faults[number]).value_or(0),
        {.entity = id, .epoch = owner.drivers});
    return true;
  };
  if (target.kind == TargetKind::kExperiment) {
    Experiment& experiment = world.experiments[target.experiment];
    return kill(experiment, !experiment.ended, holder_id(world, experiment),
                experiment_driver_lost);
  }
  Job& job = world.jobs[target.job];
  return kill(job, job.ledger && job.stage != Stage::kEnded, target.job, driver_lost);
}

// Unless its head has gone down meanwhile, or has come back and brought another.
void policy_back(World& world, std::uint32_t holder, std::uint32_t drivers) {
  if (Job* job = job_of(world, holder); job != nullptr) {
    const bool may_run = !on_head(world, *job) || world.heads[spec(world, *job).head].up;
    if (job->stage != Stage::kEnded && !job->driver_up && job->drivers == drivers && may_run) {
      start_driver(world, *job);
    }
    return;
  }
  Experiment& experiment = *experiment_of(world, holder);
  if (experiment.drivers == drivers && world.heads[spec(world, experiment).head].up) {
    experiment_driver_started(world, experiment);
  }
}

}  // namespace aftershock::sim
