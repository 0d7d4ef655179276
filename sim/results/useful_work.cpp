#include "sim/results/useful_work.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/text/units.h"
#include "sim/world/closing.h"
#include "sim/world/stuck.h"
#include "sim/world/world.h"

namespace aftershock::sim::results {

namespace {

using reports::Bucket;
using reports::EndState;

constexpr auto kProductive = static_cast<std::size_t>(Bucket::kProductive);

EndState state_by(workload::Outcome outcome) {
  return outcome == workload::Outcome::kCompleted ? EndState::kCompleted
         : outcome == workload::Outcome::kAborted ? EndState::kAborted
                                                  : EndState::kFailed;
}

// Its workers hold all that they did, and go on from there.
bool holds_its_work(const workload::Job& job) {
  switch (job.stage) {
    case workload::Stage::kTraining:
    case workload::Stage::kSnapshot:
    case workload::Stage::kWaitUpload:
    case workload::Stage::kWaitReport:
    case workload::Stage::kFinalizing:
    case workload::Stage::kReturned:
      // A stalled attempt has lost nothing: it goes on where it stopped if the fault ends.
      return !job.broken || job.breakage.stalled;
    default:
      return false;
  }
}

bool is_unplaced(const workload::Job& job) {
  return job.stage == workload::Stage::kQueued || job.wait.unplaced;
}

bool holds_in(const scenario::Scenario& scenario, const workload::Job& job, std::uint32_t pool) {
  return job.ledger && job.stage != workload::Stage::kEnded && !is_unplaced(job) &&
         scenario.jobs[job.index].pool == pool;
}

bool runs_in(const scenario::Scenario& scenario, const workload::Experiment& experiment,
             std::uint32_t pool) {
  return !experiment.ended && !experiment.running.empty() &&
         scenario.experiments[experiment.index].pool == pool;
}

bool any_trains(const workload::Experiment& experiment) {
  return std::ranges::any_of(experiment.trials, [](const workload::Trial& trial) {
    return trial.stage == workload::TrialStage::kTraining && !trial.broken;
  });
}

// Whether jobs and experiments other than the one given, a job or an experiment, have nodes of the
// pool.
bool others_hold(const world::World& world, std::uint32_t pool, const workload::Job* job,
                 const workload::Experiment* experiment) {
  const scenario::Scenario& scenario = world.scenario();
  return std::ranges::any_of(world.jobs,
                             [&](const workload::Job& other) {
                               return &other != job && holds_in(scenario, other, pool);
                             }) ||
         std::ranges::any_of(world.experiments, [&](const workload::Experiment& other) {
           return &other != experiment && runs_in(scenario, other, pool);
         });
}

// Whether others have the nodes that it waits for.
bool waits_its_turn(const world::World& world, const workload::Job& job) {
  return is_unplaced(job) &&
         others_hold(world, world.scenario().jobs[job.index].pool, &job, nullptr);
}

bool waits_its_turn(const world::World& world, const workload::Experiment& experiment) {
  return others_hold(world, world.scenario().experiments[experiment.index].pool, nullptr,
                     &experiment);
}

// Since it last trained.
std::int64_t idle_us(const world::World& world, const workload::Job& job) {
  return world.now_us() - job.ledger->worked_until_us();
}

// Half of its life, within bounds.
std::int64_t longest_still_us(const world::World& world, const workload::Job& job) {
  const std::int64_t life_us = world.now_us() - world.scenario().jobs[job.index].submit_us;
  return std::clamp(life_us / 2, kStandsStill_us, kIdleForGood_us);
}

// Its attempt stands still, and has for half of its life and an hour, as long as collectives take
// to give up: it is not on its way back. One in a restart loop broke a moment ago: see loops().
bool stands_still(const world::World& world, const workload::Job& job) {
  return job.broken && world.now_us() - job.breakage.broken_us >= longest_still_us(world, job);
}

// Its attempts have come to nothing for so long, without any training, that those to come may be
// expected to do the same. One that trains may get further by chance.
bool loops(const world::World& world, const workload::Job& job) {
  return job.restart_loop.placed && !world::circling_words(world, job).empty() &&
         idle_us(world, job) >= longest_still_us(world, job);
}

// It has not trained for so long that nobody would call it alive: more time may or may not change
// that. So it is of a stalled attempt, though that holds its work.
bool is_idle(const world::World& world, const workload::Job& job) {
  const bool works = holds_its_work(job) && !job.broken;
  return job.ledger && job.stage != workload::Stage::kEnded && !works &&
         (idle_us(world, job) >= kIdleForGood_us || stands_still(world, job)) &&
         !waits_its_turn(world, job);
}

// The words about a job that is not alive at the horizon, though nobody has ended it; empty: it is.
std::string idle_words(const world::World& world, const workload::Job& job) {
  if (loops(world, job)) {
    return world::circling_words(world, job);
  }
  return is_idle(world, job) ? fmt::format("{}, and has not trained for its last {}",
                                           world::waiting_words(world, job),
                                           scenario::format_duration(idle_us(world, job)))
                             : std::string();
}

std::int64_t idle_us(const world::World& world, const workload::Experiment& experiment) {
  const std::int64_t submit_us = world.scenario().experiments[experiment.index].submit_us;
  return world.now_us() - experiment.ledger.worked_until_us().value_or(submit_us);
}

bool is_idle(const world::World& world, const workload::Experiment& experiment) {
  return experiment.submitted && !experiment.ended && !any_trains(experiment) &&
         idle_us(world, experiment) >= kIdleForGood_us && !waits_its_turn(world, experiment);
}

// Whether a trial was given up before it had returned: nobody has wanted it since.
bool was_given_up(const world::World& world, const workload::Experiment& experiment,
                  const workload::Trial& trial) {
  return trial.attempts > 0 && !trial.done && trial.stage == workload::TrialStage::kIdle &&
         (experiment.ended || trial.track.since_us < world.now_us());
}

// The time of trials that were given up from then until the horizon, as of a job that failed;
// without a horizon that of the work which they left undone. Their account ends with them: without
// this the sooner they died the more of its time would be useful.
std::int64_t undone_us(const world::World& world, const workload::Experiment& experiment) {
  const scenario::ExperimentSpec& spec = world.scenario().experiments[experiment.index];
  std::int64_t undone_us = 0;
  for (const policies::TrialState& state : experiment.control.host.policy().trials()) {
    if (state.trial >= experiment.trials.size() ||
        !was_given_up(world, experiment, experiment.trials[state.trial])) {
      continue;
    }
    const workload::Trial& trial = experiment.trials[state.trial];
    const auto& until_us = world.scenario().until_us;
    undone_us += std::max<std::int64_t>(
        0, until_us
               ? *until_us - trial.track.since_us
               : (spec.steps - spec.initial_steps) * trial.step_us - trial.track.productive_us);
  }
  return undone_us;
}

std::int64_t time_without_end(const world::World& world, std::int64_t submit_us,
                              std::int64_t took_us,
                              const std::optional<std::int64_t>& fault_free_us) {
  const auto& until_us = world.scenario().until_us;
  // A horizon is the time that there was; without one the calm run says what it would have taken.
  return until_us ? *until_us - submit_us : std::max(took_us, fault_free_us.value_or(0));
}

}  // namespace

std::string idle_reason(const world::World& world) {
  std::string words;
  for (const workload::Job& job : world.jobs) {
    if (const std::string idle = idle_words(world, job); !idle.empty()) {
      words += (words.empty() ? "" : "; ") + idle;
    }
  }
  for (const workload::Experiment& experiment : world.experiments) {
    if (is_idle(world, experiment)) {
      words += fmt::format("{}{}, and none has trained for the last {}", words.empty() ? "" : "; ",
                           world::waiting_words(world, experiment),
                           scenario::format_duration(idle_us(world, experiment)));
    }
  }
  return words;
}

EndState state_at_end(const world::World& world, const workload::Job& job) {
  if (job.stage == workload::Stage::kEnded) {
    return state_by(job.outcome);
  }
  if (world::stuck(world, job) || is_idle(world, job) || loops(world, job)) {
    return EndState::kStuck;
  }
  if (holds_its_work(job)) {
    return EndState::kTraining;
  }
  const bool waits = job.stage == workload::Stage::kNone || job.stage == workload::Stage::kQueued ||
                     job.wait.unplaced || job.phase == scenario::Phase::kWaitingForCapacity;
  const bool first = job.attempts <= 1 && job.training.high_water_us == 0 && !job.broken;
  return waits ? EndState::kWaiting : first ? EndState::kStarting : EndState::kRecovering;
}

EndState state_at_end(const world::World& world, const workload::Experiment& experiment) {
  if (experiment.ended) {
    return state_by(experiment.outcome);
  }
  if (world::stuck(world, experiment) || is_idle(world, experiment)) {
    return EndState::kStuck;
  }
  return any_trains(experiment)       ? EndState::kTraining
         : experiment.running.empty() ? EndState::kWaiting
                                      : EndState::kRecovering;
}

bool needs_fault_free_run(const world::World& world) {
  const bool bounded = world.scenario().until_us.has_value();
  const bool job = std::ranges::any_of(world.jobs, [&](const workload::Job& one) {
    return !bounded && one.ledger && one.outcome != workload::Outcome::kCompleted;
  });
  return job || std::ranges::any_of(world.experiments, [&](const workload::Experiment& one) {
           return one.submitted && one.outcome != workload::Outcome::kCompleted &&
                  (!bounded || !is_alive(state_at_end(world, one)));
         });
}

reports::UsefulWork useful_work(const world::World& world, const workload::Job& job,
                                const FaultFreeRun& fault_free) {
  const scenario::JobSpec& spec = world.scenario().jobs[job.index];
  reports::UsefulWork useful;
  if (!job.ledger) {
    return useful;
  }
  const std::int64_t initial_us = spec.initial_steps * spec.step_us;
  std::int64_t work_us = job.training.work_us;
  useful.accelerator_us = job.ledger->accelerator_totals_us()[kProductive];
  if (job.stage != workload::Stage::kEnded && state_at_end(world, job) != EndState::kTraining) {
    const workload::Checkpoint* saved = workload::find_checkpoint(job, job.saved.committed);
    // As if it went on from its last checkpoint now: what came after that is not there any more.
    reports::Ledger rest = *job.ledger;
    rest.roll_back(saved != nullptr ? saved->productive_us : 0, job.lost_cause);
    useful.accelerator_us = rest.accelerator_totals_us()[kProductive];
    work_us = std::min(work_us, saved != nullptr ? saved->work_us : initial_us);
  }
  // An hour at half the size is half an hour of work: of a job that shrinks, time alone would count
  // for more the smaller it is.
  useful.us = useful.accelerator_us / spec.workers;
  useful.steps = std::max<std::int64_t>(0, work_us / spec.step_us - initial_us / spec.step_us);
  const std::int64_t took_us = job.ended_us - spec.submit_us;
  useful.of_us = job.outcome == workload::Outcome::kCompleted
                     ? took_us
                     : time_without_end(world, spec.submit_us, took_us,
                                        fault_free.jobs_us.empty() ? std::nullopt
                                                                   : fault_free.jobs_us[job.index]);
  return useful;
}

reports::UsefulWork useful_work(const world::World& world, const workload::Experiment& experiment,
                                const FaultFreeRun& fault_free) {
  reports::UsefulWork useful;
  if (!experiment.submitted) {
    return useful;
  }
  const reports::BucketTotals& totals_us = experiment.ledger.totals_us();
  useful.us = totals_us[kProductive] - experiment.unsaved_us;
  useful.accelerator_us = experiment.ledger.accelerator_us(useful.us);
  for (const std::int64_t us : totals_us) {
    useful.of_us += us;
  }
  useful.of_us += undone_us(world, experiment);
  if (experiment.outcome != workload::Outcome::kCompleted && !fault_free.experiments_us.empty()) {
    useful.of_us = std::max(useful.of_us, fault_free.experiments_us[experiment.index]);
  }
  return useful;
}

}  // namespace aftershock::sim::results
