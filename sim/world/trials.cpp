#include <algorithm>
#include <utility>

#include "policies/api/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// What a trial does from its start to its end.
namespace aftershock::sim {

namespace {

using reports::Bucket;
using reports::Cause;
using reports::EntityKind;

}  // namespace

void World::set_phase(Experiment& experiment, Trial& trial, Phase phase, Cause cause) {
  if (trial.track.open) {
    core_.recorder().end(core_.now_us(), trial.span);
    experiment.ledger.enter(trial.track, core_.now_us(), bucket_of(phase), cause);
  } else {
    experiment.ledger.open(trial.track, core_.now_us(), bucket_of(phase), cause);
  }
  trial.span = core_.recorder().begin(
      core_.now_us(), {EntityKind::kTrial, experiment.index, number_of(experiment, trial)},
      word_of(phase), {{"attempt", trial.attempts}, {"cause", cause.value}});
}

void World::enter_stage(Experiment& experiment, Trial& trial, TrialStage stage,
                        std::int64_t length_us) {
  trial.stage = stage;
  ++trial.stage_epoch;
  trial.stage_end_us = core_.now_us() + length_us;
  core_.schedule(EntryKind::kTrialStageOver, trial.stage_end_us,
                 {.entity = experiment.index,
                  .epoch = trial.stage_epoch,
                  .arg = number_of(experiment, trial)});
}

std::int64_t World::draw_phase(const Experiment& experiment, const Trial& trial,
                               const Distribution& law, Purpose purpose) const {
  const std::uint64_t entity =
      (std::uint64_t{experiment.index} << 32U) | number_of(experiment, trial);
  const RandomKey key{core_.scenario().seed, trial.branch, RandomSource::kTrial, entity};
  // The length of a step stays the trial's own whatever becomes of its attempts.
  const std::uint32_t n = purpose == Purpose::kStep ? 0 : trial.attempts;
  return draw_us(law, RandomDraw(key, n, purpose));
}

void World::start_trial(Experiment& experiment, const policies::StartTrial& command) {
  // The next of an experiment that was restored, and is larger than what was submitted now.
  if (command.trial == experiment.trials.size() &&
      driver_runs_[experiment.driver_run].found_job.has_value()) {
    experiment.trials.emplace_back();
  }
  if (command.trial >= experiment.trials.size()) {
    refuse(experiment, command.id, policies::CommandError::kUnknownTarget);
    return;
  }
  Trial& trial = experiment.trials[command.trial];
  if (trial.stage != TrialStage::kIdle) {
    refuse(experiment, command.id, policies::CommandError::kIllegalState);
    return;
  }
  ++trial.attempts;
  trial.branch = core_.branch();
  trial.done = false;
  trial.name = command.name;
  stored_runs_[experiment.run_key].trials.try_emplace(trial.name);  // its directory
  trial.from = command.from;
  trial.dead_references = command.dead_references;
  trial.start_cause = trial.attempts == 1 ? Cause::first_start() : trial.lost_cause;
  if (trial.start_cause.is_fault()) {
    faults_.cause_restart(static_cast<std::size_t>(trial.start_cause.value));
  }
  if (trial.step_us == 0) {
    trial.step_us = std::max<std::int64_t>(
        1, draw_phase(experiment, trial, spec(experiment).step, Purpose::kStep));
  }
  wait_for_place(experiment, trial, false);
}

void World::begin_launching(Experiment& experiment, Trial& trial) {
  const std::int64_t length_us =
      draw_phase(experiment, trial, spec(experiment).launching, Purpose::kLaunching);
  if (length_us > 0) {
    set_phase(experiment, trial, Phase::kLaunching, trial.start_cause);
  }
  enter_stage(experiment, trial, TrialStage::kLaunching, length_us);
  const Pool& pool = machines_.pool(spec(experiment).pool);
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
    break_trial(experiment, trial,
                node.up ? network_.cutting(spec(experiment).pool, index) : node.down_fault);
    trial.hung = node.up;
    return;
  }
}

// The word of it passes between the trial and its controller, so both must be in reach.
void World::stage_over(Experiment& experiment, Trial& trial) {
  if (trial.stage == TrialStage::kStopping) {
    stopped(experiment, trial);
    return;
  }
  if (trial.stage == TrialStage::kTraining && trial.halved && !trial.saving) {
    step_computed(experiment, trial);
    return;
  }
  if (cut_off(experiment, trial)) {
    if (trial.stage == TrialStage::kTraining) {
      settle_step(experiment, trial);
    }
    trial.held = true;
    for (const std::uint32_t place : trial.places) {
      if (machines_.pool(spec(experiment).pool).node(experiment.held[place].node).cut) {
        trial.fault = network_.cutting(spec(experiment).pool, experiment.held[place].node);
      }
    }
    set_phase(experiment, trial, Phase::kUndetected, Cause::fault(trial.fault));
    return;
  }
  switch (trial.stage) {
    case TrialStage::kLaunching:
      notify(experiment, policies::TrialStarted{.job = job_id(experiment),
                                                .trial = number_of(experiment, trial)});
      if (trial.from) {
        begin_restoring(experiment, trial);
      } else {
        begin_training(experiment, trial);
      }
      break;
    case TrialStage::kRestoring:
      if (stored(experiment, trial).find(*trial.from) == nullptr) {
        fail_trial(experiment, trial, policies::WorkerFailure::kException, -1, false,
                   "FileNotFoundError");
        return;
      }
      notify(experiment, policies::TrialRestored{.job = job_id(experiment),
                                                 .trial = number_of(experiment, trial)});
      begin_training(experiment, trial);
      break;
    case TrialStage::kTraining:
      step_over(experiment, trial);
      break;
    case TrialStage::kIdle:
    case TrialStage::kPending:
    case TrialStage::kStopping:
      AFTERSHOCK_ASSERT(false && "a stage without a length cannot be over");
  }
}

void World::begin_restoring(Experiment& experiment, Trial& trial) {
  const bool there = stored(experiment, trial).find(*trial.from) != nullptr;
  const std::int64_t length_us =
      draw_phase(experiment, trial, spec(experiment).restoring, Purpose::kRestoring) +
      (there ? experiment.load_us : 0);
  if (length_us > 0) {
    set_phase(experiment, trial, Phase::kRestoring, trial.start_cause);
  }
  enter_stage(experiment, trial, TrialStage::kRestoring, length_us);
}

// Takes the trial back to what `kept` holds; without it, or where the script does not resume, to
// its beginning. Returns what of its time was productive and no longer is.
std::int64_t World::roll_back(Experiment& experiment, Trial& trial, const TrialCheckpoint* kept) {
  const bool resumes = kept != nullptr && spec(experiment).resumes;
  const bool own = resumes && kept->writer == experiment.index;
  const std::int64_t steps = resumes ? kept->steps : spec(experiment).initial_steps;
  experiment.ledger.settle(trial.track, core_.now_us());
  const std::int64_t moved_us =
      experiment.ledger.roll_back(trial.track, own ? kept->productive_us : 0, trial.lost_cause);
  const std::int64_t lost_steps = std::max<std::int64_t>(0, trial.steps - steps);
  trial.lost_us += moved_us;
  trial.lost_steps += lost_steps;
  experiment.lost_us += moved_us;
  experiment.lost_steps += lost_steps;
  if (moved_us > 0) {
    core_.recorder().instant(
        core_.now_us(), {EntityKind::kTrial, experiment.index, number_of(experiment, trial)},
        "rolled_back", {{"from_steps", trial.steps}, {"to_steps", steps}, {"lost_us", moved_us}});
  }
  trial.steps = steps;
  return moved_us;
}

void World::begin_training(Experiment& experiment, Trial& trial) {
  roll_back(experiment, trial, trial.from ? stored(experiment, trial).find(*trial.from) : nullptr);
  trial.start_cause = Cause::policy();
  if (trial.dead_references) {
    fail_trial(experiment, trial, policies::WorkerFailure::kException, -1, false,
               "ray.exceptions.OwnerDiedError");
    return;
  }
  set_phase(experiment, trial, Phase::kTraining, Cause::policy());
  begin_step(experiment, trial);
}

// Productive time of a trial that does not train when the run ends, and is in no checkpoint.
std::int64_t World::unsaved_us(const Experiment& experiment, const Trial& trial) {
  const bool trains = trial.stage == TrialStage::kTraining && !trial.broken;
  if (experiment.ended || trial.done || trial.name.empty() || trains) {
    return 0;
  }
  const TrialCheckpoint* kept = stored(experiment, trial).newest_of(experiment.index);
  return trial.track.productive_us - (kept != nullptr ? kept->productive_us : 0);
}

StoredTrial& World::stored(const Experiment& experiment, const Trial& trial) {
  return stored_runs_[experiment.run_key].trials[trial.name];
}

bool World::saves_after(const Experiment& experiment, std::int64_t steps) const {
  const auto& checkpoint = spec(experiment).checkpoint;
  return checkpoint && spec(experiment).saves &&
         (steps - spec(experiment).initial_steps) % checkpoint->every_steps == 0;
}

// Faults that wait for the end of the step that the trial is in.
std::vector<std::uint32_t> World::step_faults(const Experiment& experiment,
                                              const Trial& trial) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t i : experiment.step_faults) {
    const FaultSpec& fault = core_.scenario().faults[i];
    const bool whose = fault.target.kind == TargetKind::kExperiment ||
                       fault.target.trial == number_of(experiment, trial);
    if (whose && *fault.at_step == trial.steps + 1 && !faults_.spent(i)) {
      found.push_back(i);
    }
  }
  return found;
}

// An iteration, with the save that its report waits for, is one entry; a fault that strikes between
// the two cuts it in half.
void World::begin_step(Experiment& experiment, Trial& trial) {
  trial.saving = false;
  trial.step_begin_us = core_.now_us();
  trial.struck = false;
  trial.halved = !experiment.step_faults.empty() && !step_faults(experiment, trial).empty();
  const std::int64_t save_us = saves_after(experiment, trial.steps + 1) ? experiment.save_us : 0;
  enter_stage(experiment, trial, TrialStage::kTraining,
              trial.step_us + (trial.halved ? 0 : save_us));
}

void World::step_computed(Experiment& experiment, Trial& trial) {
  const std::uint32_t stage_epoch = trial.stage_epoch;
  // What is only held up by them comes here again.
  const bool again = std::exchange(trial.struck, true);
  for (const std::uint32_t i :
       again ? std::vector<std::uint32_t>() : step_faults(experiment, trial)) {
    if (trial.stage_epoch != stage_epoch) {
      return;
    }
    faults_.spend(i, !core_.scenario().faults[i].every_attempt);
    strike(i, faults_.count_step_strike(i), number_of(experiment, trial));
  }
  if (trial.stage_epoch == stage_epoch) {
    trial.saving = true;
    const bool saves = saves_after(experiment, trial.steps + 1);
    enter_stage(experiment, trial, TrialStage::kTraining, saves ? experiment.save_us : 0);
  }
}

// What of the iteration was computing, and what saving.
void World::settle_step(Experiment& experiment, Trial& trial) {
  const std::int64_t computed_us = trial.step_begin_us + trial.step_us;
  if (trial.track.bucket == Bucket::kProductive && core_.now_us() > computed_us) {
    // What was held back by a cut may be taken up again long after that.
    experiment.ledger.enter(trial.track, std::max(computed_us, trial.track.since_us),
                            Bucket::kCheckpointBlocking, Cause::checkpoint());
  }
  experiment.ledger.settle(trial.track, core_.now_us());
}

void World::step_over(Experiment& experiment, Trial& trial) {
  settle_step(experiment, trial);
  ++trial.steps;
  std::uint32_t checkpoint = 0;
  if (saves_after(experiment, trial.steps)) {
    StoredTrial& held = stored(experiment, trial);
    checkpoint = held.next_checkpoint++;
    held.checkpoints.push_back({.id = checkpoint,
                                .steps = trial.steps,
                                .productive_us = trial.track.productive_us,
                                .writer = experiment.index});
  }
  const ExperimentSpec& experiment_spec = spec(experiment);
  const bool done = trial.steps >= experiment_spec.steps;
  notify(experiment, policies::TrialResult{.job = job_id(experiment),
                                           .trial = number_of(experiment, trial),
                                           .iteration = static_cast<std::uint32_t>(
                                               trial.steps - experiment_spec.initial_steps),
                                           .checkpoint = checkpoint,
                                           .done = done});
  if (done) {
    trial.done = true;
    leave_attempt(experiment, trial);
    return;
  }
  experiment.ledger.enter(trial.track, core_.now_us(), Bucket::kProductive, Cause::policy());
  begin_step(experiment, trial);
}

void World::leave_attempt(Experiment& experiment, Trial& trial) {
  if (trial.stage == TrialStage::kTraining && !trial.broken && !trial.held) {
    settle_step(experiment, trial);
  }
  if (trial.stage == TrialStage::kPending) {
    --experiment.waiting_count;
  }
  core_.recorder().end(core_.now_us(), trial.span);
  experiment.ledger.close(trial.track, core_.now_us());
  leave_place(experiment, trial);
  ++trial.stage_epoch;
  trial.stage = TrialStage::kIdle;
  trial.held = false;
  trial.broken = false;
  trial.hung = false;
  trial.misled = false;
  trial.saving = false;
  trial.hidden.reset();
}

void World::stop_trials(Experiment& experiment, const policies::StopTrials& command) {
  for (const auto& interval : command.trials.intervals()) {
    for (std::uint32_t number = interval.first;
         number < std::min<std::size_t>(interval.end, experiment.trials.size()); ++number) {
      Trial& trial = experiment.trials[number];
      if (trial.stage == TrialStage::kStopping) {
        continue;
      }
      const bool answers = !trial.broken && !trial.held && !cut_off(experiment, trial);
      if (trial.stage <= TrialStage::kPending || answers || command.grace_us == 0) {
        stopped(experiment, trial);
        continue;
      }
      if (trial.stage == TrialStage::kTraining && !trial.broken && !trial.held) {
        settle_step(experiment, trial);
      }
      const Cause cause = trial.broken || trial.held ? Cause::fault(trial.fault) : Cause::policy();
      set_phase(experiment, trial, Phase::kTearingDown, cause);
      enter_stage(experiment, trial, TrialStage::kStopping, command.grace_us);
    }
  }
}

void World::stopped(Experiment& experiment, Trial& trial) {
  if (trial.stage != TrialStage::kIdle) {
    trial.lost_cause = trial.broken || trial.held ? Cause::fault(trial.fault) : Cause::policy();
    leave_attempt(experiment, trial);
  }
  const std::uint32_t number = number_of(experiment, trial);
  notify(experiment,
         policies::TrialsStopped{.job = job_id(experiment),
                                 .trials = policies::RankSet::range(number, number + 1)});
}

}  // namespace aftershock::sim
