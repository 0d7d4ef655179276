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
#include "sim/world/world.h"

// The stages of a trial from its start to its end.
namespace aftershock::sim {

namespace {

void begin_restoring(World& world, Experiment& experiment, Trial& trial);
void begin_step(World& world, Experiment& experiment, Trial& trial);
void step_computed(World& world, Experiment& experiment, Trial& trial);
void step_over(World& world, Experiment& experiment, Trial& trial);

using reports::Bucket;
using reports::Cause;
using reports::EntityKind;

}  // namespace

void enter_stage(World& world, Experiment& experiment, Trial& trial, TrialStage stage,
                 std::int64_t length_us) {
  trial.stage = stage;
  ++trial.stage_epoch;
  trial.stage_end_us = world.now_us() + length_us;
  world.core.schedule(EntryKind::kTrialStageOver, trial.stage_end_us,
                      {.entity = experiment.index,
                       .epoch = trial.stage_epoch,
                       .arg = number_of(experiment, trial)});
}

void start_trial(World& world, Experiment& experiment, const policies::StartTrial& command) {
  // The next of an experiment that was restored, and is larger than what was submitted now.
  if (command.trial == experiment.trials.size() &&
      world.driver_runs[experiment.control.driver_run].found_job.has_value()) {
    experiment.trials.emplace_back();
  }
  if (command.trial >= experiment.trials.size()) {
    refuse(world, experiment, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  Trial& trial = experiment.trials[command.trial];
  if (trial.stage != TrialStage::kIdle) {
    refuse(world, experiment, command.id, policies::CommandError::kIllegalState);
    return;
  }
  ++trial.attempts;
  trial.branch = world.core.branch();
  trial.done = false;
  trial.name = command.name;
  world.stored_runs[experiment.control.run_key].trials.try_emplace(trial.name);  // its directory
  trial.from = command.from;
  trial.dead_references = command.dead_references;
  trial.start_cause = trial.attempts == 1 ? Cause::first_start() : trial.lost_cause;
  if (trial.start_cause.is_fault()) {
    world.faults.cause_restart(static_cast<std::size_t>(trial.start_cause.value));
  }
  // Drawn once: the length of a step is the trial's own, whatever attempt it is in.
  if (trial.step_us == 0) {
    trial.step_us = std::max<std::int64_t>(
        1, draw_phase(world, experiment, trial, spec(world, experiment).step, Purpose::kStep));
  }
  wait_for_place(world, experiment, trial, false);
}

void begin_launching(World& world, Experiment& experiment, Trial& trial) {
  const std::int64_t length_us =
      draw_phase(world, experiment, trial, spec(world, experiment).launching, Purpose::kLaunching);
  if (length_us > 0) {
    set_phase(world, experiment, trial, Phase::kLaunching, trial.start_cause);
  }
  enter_stage(world, experiment, trial, TrialStage::kLaunching, length_us);
  const Pool& pool = world.machines.pool(spec(world, experiment).pool);
  if (pool.hidden_faults() == 0) {
    return;
  }
  // The cluster may have chosen nodes that it does not know to be gone yet: no process begins
  // there, and when they are declared dead the trial is placed anew.
  for (const std::uint32_t place : trial.places) {
    const std::uint32_t index = experiment.held[place].node;
    const Node& node = pool.node(index);
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
void stage_over(World& world, Experiment& experiment, Trial& trial) {
  if (trial.stage == TrialStage::kStopping) {
    stopped(world, experiment, trial);
    return;
  }
  if (trial.stage == TrialStage::kTraining && trial.halved && !trial.saving) {
    step_computed(world, experiment, trial);
    return;
  }
  if (cut_off(world, experiment, trial)) {
    if (trial.stage == TrialStage::kTraining) {
      settle_step(world, experiment, trial);
    }
    trial.held = true;
    for (const std::uint32_t place : trial.places) {
      if (world.machines.pool(spec(world, experiment).pool).node(experiment.held[place].node).cut) {
        trial.fault =
            world.network.cutting(spec(world, experiment).pool, experiment.held[place].node);
      }
    }
    set_phase(world, experiment, trial, Phase::kUndetected, Cause::fault(trial.fault));
    return;
  }
  switch (trial.stage) {
    case TrialStage::kLaunching:
      notify(world, experiment,
             policies::TrialStarted{.job = holder_id(world, experiment),
                                    .trial = number_of(experiment, trial)});
      if (trial.from) {
        begin_restoring(world, experiment, trial);
      } else {
        begin_training(world, experiment, trial);
      }
      break;
    case TrialStage::kRestoring:
      // A restored experiment may know of one that retention has removed since its snapshot
      // (ray.md 3.5).
      if (stored(world, experiment, trial).find(*trial.from) == nullptr) {
        fail_trial(world, experiment, trial, policies::WorkerFailure::kException, -1, false,
                   "FileNotFoundError");
        return;
      }
      notify(world, experiment,
             policies::TrialRestored{.job = holder_id(world, experiment),
                                     .trial = number_of(experiment, trial)});
      begin_training(world, experiment, trial);
      break;
    case TrialStage::kTraining:
      step_over(world, experiment, trial);
      break;
    case TrialStage::kIdle:
    case TrialStage::kPending:
    case TrialStage::kStopping:
      AFTERSHOCK_ASSERT(false && "a stage without a length cannot be over");
  }
}

namespace {

void begin_restoring(World& world, Experiment& experiment, Trial& trial) {
  const bool there = stored(world, experiment, trial).find(*trial.from) != nullptr;
  const std::int64_t length_us =
      draw_phase(world, experiment, trial, spec(world, experiment).restoring, Purpose::kRestoring) +
      (there ? experiment.load_us : 0);
  if (length_us > 0) {
    set_phase(world, experiment, trial, Phase::kRestoring, trial.start_cause);
  }
  enter_stage(world, experiment, trial, TrialStage::kRestoring, length_us);
}

}  // namespace

void begin_training(World& world, Experiment& experiment, Trial& trial) {
  roll_back(world, experiment, trial,
            trial.from ? stored(world, experiment, trial).find(*trial.from) : nullptr);
  trial.start_cause = Cause::policy();
  // References are followed when training begins: the restore before that went well.
  if (trial.dead_references) {
    fail_trial(world, experiment, trial, policies::WorkerFailure::kException, -1, false,
               "ray.exceptions.OwnerDiedError");
    return;
  }
  set_phase(world, experiment, trial, Phase::kTraining, Cause::policy());
  begin_step(world, experiment, trial);
  if (!world.machines.failed_devices().empty()) {
    use_devices(world, experiment, trial);
  }
}

namespace {

bool saves_after(const World& world, const Experiment& experiment, std::int64_t steps) {
  const auto& checkpoint = spec(world, experiment).checkpoint;
  return checkpoint && spec(world, experiment).saves &&
         (steps - spec(world, experiment).initial_steps) % checkpoint->every_steps == 0;
}

}  // namespace

// Faults that wait for the end of the step that the trial is in.
std::vector<std::uint32_t> step_faults(const World& world, const Experiment& experiment,
                                       const Trial& trial) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t i : experiment.step_faults) {
    const FaultSpec& fault = world.scenario().faults[i];
    const bool whose = fault.target.kind == TargetKind::kExperiment ||
                       fault.target.trial == number_of(experiment, trial);
    if (whose && *fault.at_step == trial.steps + 1 && !world.faults.spent(i)) {
      found.push_back(i);
    }
  }
  return found;
}

namespace {

// An iteration, with the save that its report waits for, is one entry; a fault that strikes between
// the two cuts it in half.
void begin_step(World& world, Experiment& experiment, Trial& trial) {
  trial.saving = false;
  trial.step_begin_us = world.now_us();
  trial.struck = false;
  trial.halved = !experiment.step_faults.empty() && !step_faults(world, experiment, trial).empty();
  const std::int64_t save_us =
      saves_after(world, experiment, trial.steps + 1) ? experiment.save_us : 0;
  enter_stage(world, experiment, trial, TrialStage::kTraining,
              trial.step_us + (trial.halved ? 0 : save_us));
}

void step_computed(World& world, Experiment& experiment, Trial& trial) {
  const std::uint32_t stage_epoch = trial.stage_epoch;
  // A trial that faults only hold up comes here again.
  const bool again = std::exchange(trial.struck, true);
  for (const std::uint32_t i :
       again ? std::vector<std::uint32_t>() : step_faults(world, experiment, trial)) {
    // A fault may have ended the attempt, and the others do not find it.
    if (trial.stage_epoch != stage_epoch) {
      return;
    }
    world.faults.spend(i, !world.scenario().faults[i].every_attempt);
    strike(world, i, world.faults.count_step_strike(i), number_of(experiment, trial));
  }
  if (trial.stage_epoch == stage_epoch) {
    trial.saving = true;
    const bool saves = saves_after(world, experiment, trial.steps + 1);
    enter_stage(world, experiment, trial, TrialStage::kTraining, saves ? experiment.save_us : 0);
  }
}

}  // namespace

// Splits the iteration into computing and saving.
void settle_step(World& world, Experiment& experiment, Trial& trial) {
  const std::int64_t computed_us = trial.step_begin_us + trial.step_us;
  if (trial.track.bucket == Bucket::kProductive && world.now_us() > computed_us) {
    // A trial that a cut held back may go on long after that.
    experiment.ledger.enter(trial.track, std::max(computed_us, trial.track.since_us),
                            Bucket::kCheckpointBlocking, Cause::checkpoint());
  }
  experiment.ledger.settle(trial.track, world.now_us());
}

namespace {

void step_over(World& world, Experiment& experiment, Trial& trial) {
  settle_step(world, experiment, trial);
  ++trial.steps;
  std::uint32_t checkpoint = 0;
  if (saves_after(world, experiment, trial.steps)) {
    StoredTrial& held = stored(world, experiment, trial);
    checkpoint = held.next_checkpoint++;
    held.checkpoints.push_back({.id = checkpoint,
                                .steps = trial.steps,
                                .productive_us = trial.track.productive_us,
                                .writer = experiment.index});
  }
  const ExperimentSpec& experiment_spec = spec(world, experiment);
  const bool done = trial.steps >= experiment_spec.steps;
  notify(world, experiment,
         policies::TrialResult{
             .job = holder_id(world, experiment),
             .trial = number_of(experiment, trial),
             .iteration = static_cast<std::uint32_t>(trial.steps - experiment_spec.initial_steps),
             .checkpoint = checkpoint,
             .done = done});
  if (done) {
    trial.done = true;
    leave_attempt(world, experiment, trial);
    return;
  }
  experiment.ledger.enter(trial.track, world.now_us(), Bucket::kProductive, Cause::policy());
  begin_step(world, experiment, trial);
}

}  // namespace

void leave_attempt(World& world, Experiment& experiment, Trial& trial) {
  if (trial.stage == TrialStage::kTraining && !trial.broken && !trial.held) {
    settle_step(world, experiment, trial);
  }
  if (trial.stage == TrialStage::kPending) {
    --experiment.waiting_count;
  }
  world.core.recorder().end(world.now_us(), trial.span);
  experiment.ledger.close(trial.track, world.now_us());
  leave_place(world, experiment, trial);
  ++trial.stage_epoch;
  trial.stage = TrialStage::kIdle;
  trial.held = false;
  trial.broken = false;
  trial.hung = false;
  trial.misled = false;
  trial.saving = false;
  trial.hidden.reset();
}

void stop_trials(World& world, Experiment& experiment, const policies::StopTrials& command) {
  for (const auto& interval : command.trials.intervals()) {
    for (std::uint32_t number = interval.first;
         number < std::min<std::size_t>(interval.end, experiment.trials.size()); ++number) {
      Trial& trial = experiment.trials[number];
      if (trial.stage == TrialStage::kStopping) {
        continue;
      }
      // A trial that cannot answer is waited for as long as the grace lasts, any other ends at
      // once.
      const bool answers = !trial.broken && !trial.held && !cut_off(world, experiment, trial);
      if (trial.stage <= TrialStage::kPending || answers || command.grace_us == 0) {
        stopped(world, experiment, trial);
        continue;
      }
      if (trial.stage == TrialStage::kTraining && !trial.broken && !trial.held) {
        settle_step(world, experiment, trial);
      }
      const Cause cause = trial.broken || trial.held ? Cause::fault(trial.fault) : Cause::policy();
      set_phase(world, experiment, trial, Phase::kTearingDown, cause);
      enter_stage(world, experiment, trial, TrialStage::kStopping, command.grace_us);
    }
  }
}

void stopped(World& world, Experiment& experiment, Trial& trial) {
  if (trial.stage != TrialStage::kIdle) {
    trial.lost_cause = trial.broken || trial.held ? Cause::fault(trial.fault) : Cause::policy();
    leave_attempt(world, experiment, trial);
  }
  const std::uint32_t number = number_of(experiment, trial);
  notify(world, experiment,
         policies::TrialsStopped{.job = holder_id(world, experiment),
                                 .trials = policies::RankSet::range(number, number + 1)});
}

}  // namespace aftershock::sim
