#include <algorithm>
#include <utility>

#include "sim/workload/progress.h"
#include "sim/world/experiments.h"
#include "sim/world/injection.h"
#include "sim/world/trial_faults.h"
#include "sim/world/trial_transfers.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

// The iterations of a trial: computing, at the pace of its slowest accelerator, and the save that
// its report waits for. Both are one entry unless something stands between them.
namespace aftershock::sim::world {

namespace {

using reports::Bucket;
using reports::Cause;

bool saves_after(const World& world, const workload::Experiment& experiment, std::int64_t steps) {
  const auto& checkpoint = spec(world, experiment).checkpoint;
  return checkpoint && spec(world, experiment).saves &&
         (steps - spec(world, experiment).initial_steps) % checkpoint->every_steps == 0;
}

workload::Pace pace_of(const workload::Trial& trial) {
  return workload::slowed(workload::Pace{1, 1}, trial.slow_ppm);
}

// Time from step_begin_us to `at_us` that healthy accelerators would not have needed.
std::int64_t straggled_us(const workload::Trial& trial, std::int64_t at_us) {
  const std::int64_t passed_us = at_us - trial.step_begin_us;
  return passed_us - workload::advance(pace_of(trial), passed_us, 0).work_us;
}

struct TrialPace {
  std::int64_t slow_ppm = workload::kAsFast;
  std::uint32_t fault = 0;  ///< the straggler's
};

// Of the slowest of the trial's accelerators.
TrialPace slowest_pace(const World& world, const workload::Experiment& experiment,
                       const workload::Trial& trial) {
  TrialPace pace;
  if (!world.ailments.any_slow()) {
    return pace;
  }
  const std::uint32_t first = experiments::first_accelerator(experiment.shape, trial.place.slot);
  for (const std::uint32_t held : trial.place.held) {
    const machines::Slowness* slowest =
        world.ailments.slowest(spec(world, experiment).pool, experiment.places.node(held), first,
                               first + experiment.shape.accelerators_per_trial);
    if (slowest != nullptr && slowest->ppm > pace.slow_ppm) {
      pace = {slowest->ppm, slowest->fault};
    }
  }
  return pace;
}

// From now on the rest of the iteration has this pace.
void take_pace(const World& world, workload::Trial& trial, TrialPace pace) {
  trial.step_begin_us = world.now_us();
  trial.slow_ppm = pace.slow_ppm;
  trial.slow_fault = pace.fault;
}

}  // namespace

std::int64_t computed_at_us(const workload::Trial& trial) {
  return trial.step_begin_us + workload::time_for(pace_of(trial), trial.step_us - trial.work_us, 0);
}

bool saves_next(const World& world, const workload::Experiment& experiment,
                const workload::Trial& trial) {
  return saves_after(world, experiment, trial.steps + 1);
}

// Faults that wait for the end of the step that the trial is in.
std::vector<std::uint32_t> step_faults(const World& world, const workload::Experiment& experiment,
                                       const workload::Trial& trial) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t i : experiment.step_faults) {
    const scenario::FaultSpec& fault = world.scenario().faults[i];
    const bool whose = fault.target.kind == scenario::TargetKind::kExperiment ||
                       fault.target.trial == workload::number_of(experiment, trial);
    if (whose && *fault.at_step == trial.steps + 1 && !world.faults.spent(i)) {
      found.push_back(i);
    }
  }
  return found;
}

void begin_step(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  trial.work_us = 0;
  take_pace(world, trial, slowest_pace(world, experiment, trial));
  trial.struck = false;
  const bool saves = saves_next(world, experiment, trial);
  const bool struck =
      !experiment.step_faults.empty() && !step_faults(world, experiment, trial).empty();
  const bool parted = struck || (saves && save_may_fail(world, experiment, trial));
  trial.part = parted ? workload::TrialPart::kComputing : workload::TrialPart::kWhole;
  enter_stage(
      world, experiment, trial, workload::TrialStage::kTraining,
      computed_at_us(trial) - world.now_us() + (saves && !parted ? experiment.shape.save_us : 0));
}

void step_computed(World& world, workload::Experiment& experiment, workload::Trial& trial) {
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
    strike(world, i, world.faults.count_step_strike(i), workload::number_of(experiment, trial));
  }
  if (trial.stage_epoch != stage_epoch) {
    return;
  }
  const bool saves = saves_next(world, experiment, trial);
  if (saves && save_may_fail(world, experiment, trial)) {
    begin_blocking(world, experiment, trial);
    return;
  }
  trial.part = workload::TrialPart::kSaving;
  enter_stage(world, experiment, trial, workload::TrialStage::kTraining,
              saves ? experiment.shape.save_us : 0);
}

// Splits the iteration into computing and saving, and the former into what healthy accelerators
// would have needed and the rest.
void settle_step(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const std::int64_t computed_us = computed_at_us(trial);
  if (trial.track.open && trial.track.bucket == Bucket::kProductive) {
    const std::int64_t end_us = std::min(computed_us, world.now_us());
    if (trial.slow_ppm != workload::kAsFast && end_us > trial.track.since_us) {
      const std::int64_t lost_us =
          straggled_us(trial, end_us) - straggled_us(trial, trial.track.since_us);
      experiment.ledger.settle(trial.track, end_us);
      experiment.ledger.straggle(trial.track, lost_us, Cause::fault(trial.slow_fault));
    }
    if (world.now_us() > computed_us) {
      // A trial that a cut held back may go on long after that.
      experiment.ledger.enter(trial.track, std::max(computed_us, trial.track.since_us),
                              Bucket::kCheckpointBlocking, Cause::checkpoint());
    }
  }
  experiment.ledger.settle(trial.track, world.now_us());
}

void step_over(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  settle_step(world, experiment, trial);
  ++trial.steps;
  std::uint32_t checkpoint = 0;
  if (saves_after(world, experiment, trial.steps)) {
    drivers::StoredTrial& held = stored(world, experiment, trial);
    checkpoint = held.next_checkpoint++;
    held.checkpoints.push_back({.id = checkpoint,
                                .steps = trial.steps,
                                .productive_us = trial.track.productive_us,
                                .writer = experiment.index});
  }
  const scenario::ExperimentSpec& experiment_spec = spec(world, experiment);
  const bool done = trial.steps >= experiment_spec.steps;
  notify(world, experiment,
         policies::TrialResult{
             .job = holder_id(world, experiment),
             .trial = workload::number_of(experiment, trial),
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

// Its accelerators have become slower, or faster. One that saves is not slowed.
void change_pace(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const bool whole = trial.part == workload::TrialPart::kWhole;
  const bool computes = trial.stage == workload::TrialStage::kTraining && !trial.broken &&
                        !trial.held && (whole || trial.part == workload::TrialPart::kComputing) &&
                        computed_at_us(trial) > world.now_us();
  if (!computes) {
    return;
  }
  const TrialPace pace = slowest_pace(world, experiment, trial);
  if (pace.slow_ppm == trial.slow_ppm) {
    return;
  }
  settle_step(world, experiment, trial);
  trial.work_us +=
      workload::advance(pace_of(trial), world.now_us() - trial.step_begin_us, 0).work_us;
  take_pace(world, trial, pace);
  const bool saves = whole && saves_next(world, experiment, trial);
  enter_stage(world, experiment, trial, workload::TrialStage::kTraining,
              computed_at_us(trial) - world.now_us() + (saves ? experiment.shape.save_us : 0));
}

}  // namespace aftershock::sim::world
