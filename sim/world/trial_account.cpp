#include <algorithm>

#include "sim/chance/draws.h"
#include "sim/world/names.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

// The account of a trial: its phases, what storage keeps of it, and what it loses.
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::Entity;
using reports::EntityKind;

}  // namespace

std::int64_t draw_phase(const World& world, const workload::Experiment& experiment,
                        const workload::Trial& trial, const scenario::Distribution& law,
                        chance::Purpose purpose) {
  const std::uint64_t entity =
      chance::named(spec(world, experiment).name, workload::number_of(experiment, trial));
  const chance::RandomKey key{world.scenario().seed, trial.branch, chance::RandomSource::kTrial,
                              entity};
  // The length of a step stays the trial's own whatever becomes of its attempts.
  const std::uint32_t n = purpose == chance::Purpose::kStep ? 0 : trial.attempts;
  return chance::draw_us(law, chance::RandomDraw(key, n, purpose));
}

void set_phase(World& world, workload::Experiment& experiment, workload::Trial& trial,
               scenario::Phase phase, Cause cause) {
  if (trial.track.open) {
    world.core.recorder().end(world.now_us(), trial.span);
    experiment.ledger.enter(trial.track, world.now_us(), bucket_of(phase), cause);
  } else {
    experiment.ledger.open(trial.track, world.now_us(), bucket_of(phase), cause);
  }
  trial.span = world.core.recorder().begin(
      world.now_us(),
      {EntityKind::kTrial, experiment.index, workload::number_of(experiment, trial)},
      word_of(phase), {{"attempt", trial.attempts}, {"cause", cause.value}});
}

drivers::StoredTrial& stored(World& world, const workload::Experiment& experiment,
                             const workload::Trial& trial) {
  return world.stored_runs.at(experiment.control.run_key).trials[trial.name];
}

// Productive time of a trial that does not train when the run ends, and is in no checkpoint.
std::int64_t unsaved_us(World& world, const workload::Experiment& experiment,
                        const workload::Trial& trial) {
  const bool trains = trial.stage == workload::TrialStage::kTraining && !trial.broken;
  if (experiment.ended || trial.done || trial.name.empty() || trains) {
    return 0;
  }
  const drivers::TrialCheckpoint* kept =
      stored(world, experiment, trial).newest_of(experiment.index);
  return trial.track.productive_us - (kept != nullptr ? kept->productive_us : 0);
}

// Takes the trial back to what `kept` holds; without it, or where the script does not resume, to
// its beginning. Returns what of its time was productive and no longer is.
std::int64_t roll_back(World& world, workload::Experiment& experiment, workload::Trial& trial,
                       const drivers::TrialCheckpoint* kept) {
  const bool resumes = kept != nullptr && spec(world, experiment).resumes;
  const bool own = resumes && kept->writer == experiment.index;
  const std::int64_t steps = resumes ? kept->steps : spec(world, experiment).initial_steps;
  experiment.ledger.settle(trial.track, world.now_us());
  const std::int64_t moved_us =
      experiment.ledger.roll_back(trial.track, own ? kept->productive_us : 0, trial.lost_cause);
  const std::int64_t lost_steps = std::max<std::int64_t>(0, trial.steps - steps);
  trial.lost_us += moved_us;
  trial.lost_steps += lost_steps;
  experiment.lost_us += moved_us;
  experiment.lost_steps += lost_steps;
  if (moved_us > 0) {
    world.core.recorder().instant(
        world.now_us(),
        {EntityKind::kTrial, experiment.index, workload::number_of(experiment, trial)},
        "rolled_back", {{"from_steps", trial.steps}, {"to_steps", steps}, {"lost_us", moved_us}});
  }
  trial.steps = steps;
  return moved_us;
}

}  // namespace aftershock::sim::world
