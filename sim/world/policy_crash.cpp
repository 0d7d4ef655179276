#include "sim/core/entry_kind.h"
#include "sim/world/agents.h"
#include "sim/world/drivers.h"
#include "sim/world/experiments.h"
#include "sim/world/injection.h"
#include "sim/world/nodes.h"
#include "sim/world/world.h"

// Policies whose process is killed, and started again while its head stands.
namespace aftershock::sim::world {

bool crash_policy(World& world, std::uint32_t number) {
  const scenario::Target target = world.scenario().faults[world.faults[number].spec].target;
  if (target.kind == scenario::TargetKind::kAgent) {
    return end_agent(world, number);
  }
  workload::Experiment* experiment = target.kind == scenario::TargetKind::kExperiment
                                         ? &world.experiments[target.experiment]
                                         : nullptr;
  workload::Job* job = experiment == nullptr ? &world.jobs[target.job] : nullptr;
  const bool lives =
      job != nullptr ? job->ledger && job->stage != workload::Stage::kEnded : !experiment->ended;
  workload::Controller& control = job != nullptr ? job->control : experiment->control;
  if (!lives || !control.driver_up) {
    return false;
  }
  // The process that dies runs on a head, wherever the rank is that was drawn.
  world.faults.update(number, [](faults::FaultRecord& fault) {
    fault.pool.reset();
    fault.accelerator.reset();
  });
  fire(world, number);
  if (job != nullptr) {
    driver_lost(world, *job, number);
  } else {
    experiment_driver_lost(world, *experiment, number);
  }
  control.host.kill();
  // The checkpoints are there still, but nobody knows which of them count.
  if (!faults::effect_of(world.scenario(), world.faults[number]).state_kept) {
    world.stored_runs.lose_state(control.run_key);
  }
  world.core.schedule(
      core::EntryKind::kPolicyBack,
      world.now_us() + faults::draw_lasts(world.scenario(), world.faults[number]).value_or(0),
      {.entity = job != nullptr ? job->index : holder_id(world, *experiment),
       .epoch = control.drivers});
  return true;
}

// Unless its head has gone down meanwhile, or has come back and brought another.
void policy_back(World& world, std::uint32_t holder, std::uint32_t drivers) {
  if (workload::Job* job = job_of(world, holder); job != nullptr) {
    const bool may_run = !on_head(world, *job) || world.heads.up(spec(world, *job).head);
    if (job->stage != workload::Stage::kEnded && !job->control.driver_up &&
        job->control.drivers == drivers && may_run) {
      start_driver(world, *job);
    }
    return;
  }
  workload::Experiment& experiment = *experiment_of(world, holder);
  if (experiment.control.drivers == drivers && world.heads.up(spec(world, experiment).head)) {
    experiment_driver_started(world, experiment);
  }
}

}  // namespace aftershock::sim::world
