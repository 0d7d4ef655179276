#include "sim/world/trials.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/world/experiments.h"
#include "sim/world/injection.h"
#include "sim/world/names.h"
#include "sim/world/phases.h"
#include "sim/world/refusal.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "sim/world/trial_faults.h"
#include "sim/world/trial_places.h"
#include "sim/world/trial_transfers.h"
#include "sim/world/world.h"

// The stages of a trial from its start to its end.
namespace aftershock::sim::world {

namespace {

void begin_restoring(World& world, workload::Experiment& experiment, workload::Trial& trial);

using reports::Cause;
using reports::EntityKind;

}  // namespace

void enter_stage(World& world, workload::Experiment& experiment, workload::Trial& trial,
                 workload::TrialStage stage, std::int64_t length_us) {
  trial.stage = stage;
  ++trial.stage_epoch;
  trial.stage_end_us = world.now_us() + length_us;
  world.core.schedule(core::EntryKind::kTrialStageOver, trial.stage_end_us,
                      {.entity = experiment.index,
                       .epoch = trial.stage_epoch,
                       .arg = workload::number_of(experiment, trial)});
}

void start_trial(World& world, workload::Experiment& experiment,
                 const policies::StartTrial& command) {
  // The next of an experiment that was restored, and is larger than what was submitted now.
  if (command.trial == experiment.trials.size() &&
      world.driver_runs[experiment.control.driver_run].found_job.has_value()) {
    experiment.trials.emplace_back();
  }
  if (command.trial >= experiment.trials.size()) {
    refuse(world, experiment, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  workload::Trial& trial = experiment.trials[command.trial];
  if (trial.stage != workload::TrialStage::kIdle) {
    refuse(world, experiment, command.id, policies::CommandError::kIllegalState);
    return;
  }
  ++trial.attempts;
  trial.branch = world.core.branch();
  trial.done = false;
  trial.name = command.name;
  world.stored_runs.at(experiment.control.run_key).trials.try_emplace(trial.name);  // its directory
  trial.from = command.from;
  trial.dead_references = command.dead_references;
  trial.start_cause = trial.attempts == 1 ? Cause::first_start() : trial.lost_cause;
  if (trial.start_cause.is_fault()) {
    world.faults.cause_restart(static_cast<std::size_t>(trial.start_cause.value));
  }
  // Drawn once: the length of a step is the trial's own, whatever attempt it is in.
  if (trial.step_us == 0) {
    trial.step_us = std::max<std::int64_t>(
        1,
        draw_phase(world, experiment, trial, spec(world, experiment).step, chance::Purpose::kStep));
  }
  wait_for_place(world, experiment, trial, false);
}

void begin_launching(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const std::int64_t length_us = draw_phase(
      world, experiment, trial, spec(world, experiment).launching, chance::Purpose::kLaunching);
  if (length_us > 0) {
    set_phase(world, experiment, trial, scenario::Phase::kLaunching, trial.start_cause);
  }
  enter_stage(world, experiment, trial, workload::TrialStage::kLaunching, length_us);
  const machines::Pool& pool = world.machines.pool(spec(world, experiment).pool);
  if (pool.hidden_faults() == 0) {
    return;
  }
  // The cluster may have chosen nodes that it does not know to be gone yet: no process begins
  // there, and when they are declared dead the trial is placed anew.
  for (const std::uint32_t held : trial.place.held) {
    const std::uint32_t index = experiment.places.node(held);
    const machines::Node& node = pool.node(index);
    if (node.up && !node.cut) {
      continue;
    }
    trial.misled = true;
    break_trial(
        world, experiment, trial,
        node.up ? world.network.cutting(spec(world, experiment).pool, index) : node.down_fault);
    trial.hung = node.up;
    return;
  }
}

// The word of it passes between the trial and its controller, so both must be in reach.
void stage_over(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (trial.stage == workload::TrialStage::kStopping) {
    stopped(world, experiment, trial);
    return;
  }
  if (part_over(world, experiment, trial)) {
    return;
  }
  if (cut_off(world, experiment, trial)) {
    if (trial.stage == workload::TrialStage::kTraining) {
      settle_step(world, experiment, trial);
    }
    trial.held = true;
    const std::uint32_t pool = spec(world, experiment).pool;
    for (const std::uint32_t held : trial.place.held) {
      const std::uint32_t node = experiment.places.node(held);
      if (world.machines.pool(pool).node(node).cut) {
        trial.fault = world.network.cutting(pool, node);
      }
    }
    set_phase(world, experiment, trial, scenario::Phase::kUndetected, Cause::fault(trial.fault));
    return;
  }
  switch (trial.stage) {
    case workload::TrialStage::kLaunching:
      notify(world, experiment,
             policies::TrialStarted{.job = holder_id(world, experiment),
                                    .trial = workload::number_of(experiment, trial)});
      if (trial.from) {
        begin_restoring(world, experiment, trial);
      } else {
        begin_training(world, experiment, trial);
      }
      break;
    case workload::TrialStage::kRestoring:
      // A restored experiment may know of one that retention has removed since its snapshot
      // (ray.md 3.5).
      if (stored(world, experiment, trial).find(*trial.from) == nullptr) {
        fail_trial(world, experiment, trial, policies::WorkerFailure::kException, -1, false,
                   "FileNotFoundError");
        return;
      }
      notify(world, experiment,
             policies::TrialRestored{.job = holder_id(world, experiment),
                                     .trial = workload::number_of(experiment, trial)});
      begin_training(world, experiment, trial);
      break;
    case workload::TrialStage::kTraining:
      step_over(world, experiment, trial);
      break;
    case workload::TrialStage::kIdle:
    case workload::TrialStage::kPending:
    case workload::TrialStage::kStopping:
      AFTERSHOCK_ASSERT(false && "a stage without a length cannot be over");
  }
}

namespace {

void begin_restoring(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const bool there = stored(world, experiment, trial).find(*trial.from) != nullptr;
  trial.loading_us = draw_phase(world, experiment, trial, spec(world, experiment).restoring,
                                chance::Purpose::kRestoring);
  if (there && experiment.shape.load_us > 0 && world.network.troubled()) {
    trial.stage = workload::TrialStage::kRestoring;
    set_phase(world, experiment, trial, scenario::Phase::kRestoring, trial.start_cause);
    begin_moving(world, experiment, trial);
    return;
  }
  const std::int64_t length_us = trial.loading_us + (there ? experiment.shape.load_us : 0);
  if (length_us > 0) {
    set_phase(world, experiment, trial, scenario::Phase::kRestoring, trial.start_cause);
  }
  trial.part = there ? workload::TrialPart::kWhole : workload::TrialPart::kLoading;
  enter_stage(world, experiment, trial, workload::TrialStage::kRestoring, length_us);
}

}  // namespace

void begin_training(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  roll_back(world, experiment, trial,
            trial.from ? stored(world, experiment, trial).find(*trial.from) : nullptr);
  trial.start_cause = Cause::policy();
  // References are followed when training begins: the restore before that went well.
  if (trial.dead_references) {
    fail_trial(world, experiment, trial, policies::WorkerFailure::kException, -1, false,
               "ray.exceptions.OwnerDiedError");
    return;
  }
  set_phase(world, experiment, trial, scenario::Phase::kTraining, Cause::policy());
  begin_step(world, experiment, trial);
  if (!world.machines.failed_devices().empty()) {
    use_devices(world, experiment, trial);
  }
}

void leave_attempt(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (trial.stage == workload::TrialStage::kTraining && !trial.broken && !trial.held) {
    settle_step(world, experiment, trial);
  }
  if (trial.stage == workload::TrialStage::kPending) {
    --experiment.waiting_count;
  }
  world.core.recorder().end(world.now_us(), trial.span);
  experiment.ledger.close(trial.track, world.now_us());
  leave_place(world, experiment, trial);
  ++trial.stage_epoch;
  trial.stage = workload::TrialStage::kIdle;
  trial.held = false;
  trial.broken = false;
  trial.hung = false;
  trial.misled = false;
  trial.part = workload::TrialPart::kWhole;
  trial.slow_ppm = workload::kAsFast;
  trial.waits_for.reset();
  trial.hidden.reset();
}

void stop_trials(World& world, workload::Experiment& experiment,
                 const policies::StopTrials& command) {
  for (const auto& interval : command.trials.intervals()) {
    for (std::uint32_t number = interval.first;
         number < std::min<std::size_t>(interval.end, experiment.trials.size()); ++number) {
      workload::Trial& trial = experiment.trials[number];
      if (trial.stage == workload::TrialStage::kStopping) {
        continue;
      }
      // A trial that cannot answer is waited for as long as the grace lasts, any other ends at
      // once. Nor does one whose report waits for storage.
      const bool answers =
          !trial.broken && !trial.held && !trial.waits_for && !cut_off(world, experiment, trial);
      if (trial.stage <= workload::TrialStage::kPending || answers || command.grace_us == 0) {
        stopped(world, experiment, trial);
        continue;
      }
      if (trial.stage == workload::TrialStage::kTraining && !trial.broken && !trial.held) {
        settle_step(world, experiment, trial);
      }
      const Cause cause = trial.broken || trial.held ? Cause::fault(trial.fault)
                          : trial.waits_for          ? Cause::fault(*trial.waits_for)
                                                     : Cause::policy();
      set_phase(world, experiment, trial, scenario::Phase::kTearingDown, cause);
      enter_stage(world, experiment, trial, workload::TrialStage::kStopping, command.grace_us);
    }
  }
}

void stopped(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  if (trial.stage != workload::TrialStage::kIdle) {
    trial.lost_cause = trial.broken || trial.held ? Cause::fault(trial.fault) : Cause::policy();
    leave_attempt(world, experiment, trial);
  }
  const std::uint32_t number = workload::number_of(experiment, trial);
  notify(world, experiment,
         policies::TrialsStopped{.job = holder_id(world, experiment),
                                 .trials = policies::RankSet::range(number, number + 1)});
}

}  // namespace aftershock::sim::world
