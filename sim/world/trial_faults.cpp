#include <algorithm>
#include <array>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/world.h"

// What faults do to trials, and when their controller comes to see it.
namespace aftershock::sim {

namespace {

using reports::Cause;

// Whether there is a process that can fail.
bool has_process(const Trial& trial) {
  const bool began = trial.stage == TrialStage::kLaunching ||
                     trial.stage == TrialStage::kRestoring || trial.stage == TrialStage::kTraining;
  return began && !trial.misled && (!trial.broken || trial.hung);
}

}  // namespace

std::vector<std::uint32_t> World::trials_on(const Experiment& experiment, std::uint32_t pool,
                                            std::uint32_t node) const {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t trial : experiment.held[machines_.pool(pool).node(node).slot].trials) {
    if (trial != HeldNode::kFree) {
      found.push_back(trial);
    }
  }
  return found;
}

// The trials with a process on the accelerator that the fault strikes.
std::vector<std::uint32_t> WorldState::trials_using(const FaultRecord& fault) const {
  std::vector<std::uint32_t> found;
  const Experiment* experiment =
      fault.pool && fault.accelerator ? experiment_on(*fault.pool, fault.node) : nullptr;
  if (experiment == nullptr || !machines_.pool(*fault.pool).node(fault.node).up) {
    return found;
  }
  const auto& trials = experiment->held[machines_.pool(*fault.pool).node(fault.node).slot].trials;
  const auto [first, end] = slots_using(*experiment, *fault.accelerator);
  for (std::uint32_t slot = first; slot < end; ++slot) {
    if (trials[slot] != HeldNode::kFree && has_process(experiment->trials[trials[slot]])) {
      found.push_back(trials[slot]);
    }
  }
  return found;
}

// It stands still from now on; who comes first is put down as the reason.
void World::break_trial(Experiment& experiment, Trial& trial, std::uint32_t fault) {
  if (trial.broken && !trial.hung) {
    return;
  }
  if (trial.stage == TrialStage::kTraining && !trial.broken && !trial.held) {
    settle_step(experiment, trial);
  }
  trial.held = false;
  ++trial.stage_epoch;
  if (!trial.broken) {
    trial.fault = fault;
    trial.broken_us = core_.now_us();
    set_phase(experiment, trial, Phase::kUndetected, Cause::fault(fault));
  }
  trial.broken = true;
  trial.hung = false;
}

// The controller comes to see that it has failed.
void World::fail_trial(Experiment& experiment, Trial& trial, policies::WorkerFailure kind,
                       std::int32_t fault, bool preempted, std::string error) {
  const std::uint32_t number = number_of(experiment, trial);
  policies::TrialsFailed failed{.job = job_id(experiment),
                                .trials = policies::RankSet::range(number, number + 1),
                                .kind = kind,
                                .preempted = preempted,
                                .restoring = trial.stage == TrialStage::kRestoring,
                                .error = std::move(error)};
  if (fault >= 0) {
    faults_.detect(static_cast<std::size_t>(fault));
  }
  trial.lost_cause = trial.broken || trial.held ? Cause::fault(trial.fault)
                     : fault >= 0               ? Cause{fault}
                                                : Cause::policy();
  leave_attempt(experiment, trial);
  notify(experiment, std::move(failed), fault);
}

// The end of a process shows at once, unless its node is cut off.
void World::process_failed(Experiment& experiment, Trial& trial, policies::WorkerFailure kind,
                           std::uint32_t fault) {
  const bool hidden = cut_off(experiment, trial);
  break_trial(experiment, trial, fault);
  if (hidden) {
    trial.hidden = HiddenFailure{kind};
  } else {
    fail_trial(experiment, trial, kind, static_cast<std::int32_t>(fault));
  }
}

void World::trials_lost_node(std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                             bool announced) {
  Experiment* experiment = experiment_on(pool, node);
  if (experiment == nullptr) {
    return;
  }
  for (const std::uint32_t number : trials_on(*experiment, pool, node)) {
    Trial& trial = experiment->trials[number];
    if (trial.stage == TrialStage::kStopping) {
      stopped(*experiment, trial);
      continue;
    }
    break_trial(*experiment, trial, fault);
    if (announced && trial.misled) {
      leave_attempt(*experiment, trial);
      wait_for_place(*experiment, trial, true);
    } else if (announced) {
      fail_trial(*experiment, trial, policies::WorkerFailure::kNodeLost,
                 static_cast<std::int32_t>(fault), true);
    }
  }
}

void World::trials_on_dead_node(std::uint32_t pool, std::uint32_t node) {
  Experiment* experiment = experiment_on(pool, node);
  if (experiment == nullptr) {
    return;
  }
  const Node& dead = machines_.pool(pool).node(node);
  const std::uint32_t fault = dead.up ? network_.cutting(pool, node) : dead.down_fault;
  std::vector<std::uint32_t> numbers = trials_on(*experiment, pool, node);
  // Those that are placed anew go to the front one by one: the last of them first.
  std::ranges::reverse(numbers);
  for (const std::uint32_t number : numbers) {
    Trial& trial = experiment->trials[number];
    if (trial.misled) {
      leave_attempt(*experiment, trial);
      wait_for_place(*experiment, trial, true);
    }
  }
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    Trial& trial = experiment->trials[*number];
    if (trial.stage == TrialStage::kStopping) {
      stopped(*experiment, trial);
    } else if (trial.stage != TrialStage::kIdle && trial.stage != TrialStage::kPending) {
      fail_trial(*experiment, trial, policies::WorkerFailure::kNodeLost,
                 static_cast<std::int32_t>(fault));
    }
  }
}

// A partition has healed: what was held back comes through.
void World::trials_reachable_again() {
  for (Experiment& experiment : experiments_) {
    std::vector<std::uint32_t> numbers = experiment.running;
    std::ranges::sort(numbers);
    for (const std::uint32_t number : numbers) {
      Trial& trial = experiment.trials[number];
      if (cut_off(experiment, trial)) {
        continue;
      }
      if (trial.hidden) {
        fail_trial(experiment, trial, trial.hidden->kind, static_cast<std::int32_t>(trial.fault));
      } else if (std::exchange(trial.held, false)) {
        set_phase(experiment, trial,
                  trial.stage == TrialStage::kLaunching   ? Phase::kLaunching
                  : trial.stage == TrialStage::kRestoring ? Phase::kRestoring
                                                          : Phase::kTraining,
                  trial.start_cause);
        stage_over(experiment, trial);
      } else if (trial.misled && trial.hung) {
        trial.misled = false;
        trial.broken = false;
        trial.hung = false;
        begin_launching(experiment, trial);
      }
    }
  }
}

bool World::crash_trial(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  Experiment& experiment = experiments_[*fault.experiment];
  Trial& trial = experiment.trials[fault.trial];
  if (!has_process(trial)) {
    return false;
  }
  fire(number);
  constexpr std::array kKinds{policies::WorkerFailure::kException,
                              policies::WorkerFailure::kOutOfMemory,
                              policies::WorkerFailure::kExit};  // in the order of CrashManner
  process_failed(experiment, trial, kKinds[static_cast<std::size_t>(effect_of(fault).manner)],
                 number);
  return true;
}

// Every trial that uses the accelerator dies of it.
bool World::fail_trials_of(std::uint32_t number) {
  const std::vector<std::uint32_t> trials = trials_using(faults_[number]);
  if (trials.empty()) {
    return false;
  }
  Experiment& experiment = *experiment_on(*faults_[number].pool, faults_[number].node);
  for (const std::uint32_t trial : trials) {
    process_failed(experiment, experiment.trials[trial], policies::WorkerFailure::kAcceleratorFault,
                   number);
  }
  return true;
}

// Nobody polls trials: as long as its process lives a trial that hangs is a trial that runs.
bool World::hang_trial(std::uint32_t number) {
  const FaultRecord fault = faults_[number];
  Experiment& experiment = experiments_[*fault.experiment];
  Trial& trial = experiment.trials[fault.trial];
  if (!has_process(trial) || trial.broken || trial.held || trial.stage == TrialStage::kLaunching) {
    return false;
  }
  fire(number);
  break_trial(experiment, trial, number);
  trial.hung = true;
  if (const auto lasts_us = draw_lasts(core_.scenario(), fault)) {
    core_.schedule(EntryKind::kHangOver, core_.now_us() + *lasts_us, {.arg = number});
  }
  return true;
}

void World::trial_hang_over(std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  Experiment& experiment = experiments_[*fault.experiment];
  Trial& trial = experiment.trials[fault.trial];
  if (!trial.hung || trial.misled || trial.fault != number ||
      trial.stage == TrialStage::kStopping) {
    return;
  }
  const std::int64_t stood_us = core_.now_us() - trial.broken_us;
  trial.broken = false;
  trial.hung = false;
  trial.step_begin_us += stood_us;
  const std::int64_t left_us = trial.stage_end_us - trial.broken_us;
  if (trial.stage == TrialStage::kRestoring) {
    set_phase(experiment, trial, Phase::kRestoring, trial.start_cause);
  } else {
    set_phase(experiment, trial, Phase::kTraining, Cause::policy());
    const std::int64_t computed_us = trial.step_begin_us + trial.step_us;
    if (computed_us <= core_.now_us()) {
      experiment.ledger.enter(trial.track, core_.now_us(), reports::Bucket::kCheckpointBlocking,
                              Cause::checkpoint());
    }
  }
  enter_stage(experiment, trial, trial.stage, left_us);
}

}  // namespace aftershock::sim
