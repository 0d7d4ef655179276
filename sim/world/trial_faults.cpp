#include "sim/world/trial_faults.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/faults/source.h"
#include "sim/world/draining.h"
#include "sim/world/experiments.h"
#include "sim/world/injection.h"
#include "sim/world/trial_places.h"
#include "sim/world/trial_transfers.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

// Faults of trials, and when their controller comes to see them.
namespace aftershock::sim::world {

namespace {

using reports::Cause;

// Whether there is a process that can fail.
bool has_process(const workload::Trial& trial) {
  const bool began = trial.stage == workload::TrialStage::kLaunching ||
                     trial.stage == workload::TrialStage::kRestoring ||
                     trial.stage == workload::TrialStage::kTraining;
  return began && !trial.misled && (!trial.broken || trial.hung);
}

}  // namespace

std::vector<std::uint32_t> trials_on(const World& world, const workload::Experiment& experiment,
                                     std::uint32_t pool, std::uint32_t node) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t trial :
       experiment.places.trials_on(world.machines.pool(pool).node(node).slot)) {
    if (trial != experiments::TrialPlaces::kFree) {
      found.push_back(trial);
    }
  }
  return found;
}

// The trials with a process on the accelerator that the fault strikes.
std::vector<std::uint32_t> trials_using(const World& world, const faults::FaultRecord& fault) {
  std::vector<std::uint32_t> found;
  const workload::Experiment* experiment =
      fault.pool && fault.accelerator ? experiment_on(world, *fault.pool, fault.node) : nullptr;
  if (experiment == nullptr || !world.machines.pool(*fault.pool).node(fault.node).up) {
    return found;
  }
  const auto trials =
      experiment->places.trials_on(world.machines.pool(*fault.pool).node(fault.node).slot);
  const auto [first, end] = experiments::slots_using(experiment->shape, *fault.accelerator);
  for (std::uint32_t slot = first; slot < end; ++slot) {
    if (trials[slot] != experiments::TrialPlaces::kFree &&
        has_process(experiment->trials[trials[slot]])) {
      found.push_back(trials[slot]);
    }
  }
  return found;
}

// It stands still from now on; who comes first is put down as the reason.
void break_trial(World& world, workload::Experiment& experiment, workload::Trial& trial,
                 std::uint32_t fault) {
  // A trial that hangs has a process which may still die.
  if (trial.broken && !trial.hung) {
    return;
  }
  if (trial.stage == workload::TrialStage::kTraining && !trial.broken && !trial.held) {
    settle_step(world, experiment, trial);
  }
  trial.held = false;
  ++trial.stage_epoch;
  if (!trial.broken) {
    trial.fault = fault;
    trial.broken_us = world.now_us();
    set_phase(world, experiment, trial, scenario::Phase::kUndetected, Cause::fault(fault));
  }
  trial.broken = true;
  trial.hung = false;
}

// The controller comes to see that it has failed.
void fail_trial(World& world, workload::Experiment& experiment, workload::Trial& trial,
                policies::WorkerFailure kind, std::int32_t fault, bool preempted,
                std::string error) {
  const std::uint32_t number = workload::number_of(experiment, trial);
  policies::TrialsFailed failed{.job = holder_id(world, experiment),
                                .trials = policies::RankSet::range(number, number + 1),
                                .kind = kind,
                                .preempted = preempted,
                                .restoring = trial.stage == workload::TrialStage::kRestoring,
                                .error = std::move(error)};
  if (fault >= 0) {
    world.faults.detect(static_cast<std::size_t>(fault));
  }
  trial.lost_cause = trial.broken || trial.held ? Cause::fault(trial.fault)
                     : fault >= 0               ? Cause{fault}
                                                : Cause::policy();
  leave_attempt(world, experiment, trial);
  notify(world, experiment, std::move(failed), fault);
}

void fail_process(World& world, workload::Experiment& experiment, workload::Trial& trial,
                  policies::WorkerFailure kind, std::uint32_t fault, std::string error) {
  const bool hidden = cut_off(world, experiment, trial);
  break_trial(world, experiment, trial, fault);
  if (hidden) {
    trial.hidden = workload::HiddenFailure{kind, std::move(error)};
  } else {
    fail_trial(world, experiment, trial, kind, static_cast<std::int32_t>(fault), false,
               std::move(error));
  }
}

void trials_lost_node(World& world, std::uint32_t pool, std::uint32_t node, std::uint32_t fault,
                      bool announced) {
  workload::Experiment* experiment = experiment_on(world, pool, node);
  if (experiment == nullptr) {
    return;
  }
  for (const std::uint32_t number : trials_on(world, *experiment, pool, node)) {
    workload::Trial& trial = experiment->trials[number];
    if (trial.stage == workload::TrialStage::kStopping) {
      stopped(world, *experiment, trial);
      continue;
    }
    break_trial(world, *experiment, trial, fault);
    // No process of it was there to be lost: it is placed anew, and nothing failed.
    if (announced && trial.misled) {
      leave_attempt(world, *experiment, trial);
      wait_for_place(world, *experiment, trial, true);
    } else if (announced) {
      fail_trial(world, *experiment, trial, policies::WorkerFailure::kNodeLost,
                 static_cast<std::int32_t>(fault), drained_to_its_deadline(world, fault));
    }
  }
}

void trials_on_dead_node(World& world, std::uint32_t pool, std::uint32_t node) {
  workload::Experiment* experiment = experiment_on(world, pool, node);
  if (experiment == nullptr) {
    return;
  }
  const machines::Node& dead = world.machines.pool(pool).node(node);
  const std::uint32_t fault = dead.up ? world.network.cutting(pool, node) : dead.down_fault;
  std::vector<std::uint32_t> numbers = trials_on(world, *experiment, pool, node);
  // Those that are placed anew go to the front one by one: the last of them first.
  std::ranges::reverse(numbers);
  for (const std::uint32_t number : numbers) {
    workload::Trial& trial = experiment->trials[number];
    if (trial.misled) {
      leave_attempt(world, *experiment, trial);
      wait_for_place(world, *experiment, trial, true);
    }
  }
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    workload::Trial& trial = experiment->trials[*number];
    if (trial.stage == workload::TrialStage::kStopping) {
      stopped(world, *experiment, trial);
    } else if (trial.stage != workload::TrialStage::kIdle &&
               trial.stage != workload::TrialStage::kPending) {
      fail_trial(world, *experiment, trial, policies::WorkerFailure::kNodeLost,
                 static_cast<std::int32_t>(fault),
                 !dead.up && drained_to_its_deadline(world, fault));
    }
  }
}

// A partition has healed: what was held back comes through.
void trials_reachable_again(World& world) {
  for (workload::Experiment& experiment : world.experiments) {
    std::vector<std::uint32_t> numbers = experiment.running;
    // `running` is in no order: by number what is recorded here follows from the state alone.
    std::ranges::sort(numbers);
    for (const std::uint32_t number : numbers) {
      workload::Trial& trial = experiment.trials[number];
      if (cut_off(world, experiment, trial)) {
        continue;
      }
      if (trial.hidden) {
        fail_trial(world, experiment, trial, trial.hidden->kind,
                   static_cast<std::int32_t>(trial.fault), false, trial.hidden->error);
      } else if (std::exchange(trial.held, false)) {
        set_phase(world, experiment, trial,
                  trial.stage == workload::TrialStage::kLaunching   ? scenario::Phase::kLaunching
                  : trial.stage == workload::TrialStage::kRestoring ? scenario::Phase::kRestoring
                                                                    : scenario::Phase::kTraining,
                  trial.start_cause);
        stage_over(world, experiment, trial);
      } else if (trial.misled && trial.hung) {
        trial.misled = false;
        trial.broken = false;
        trial.hung = false;
        begin_launching(world, experiment, trial);
      }
    }
  }
}

bool crash_trial(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  workload::Experiment& experiment = world.experiments[*fault.experiment];
  workload::Trial& trial = experiment.trials[fault.trial];
  if (!has_process(trial)) {
    return false;
  }
  fire(world, number);
  constexpr std::array kKinds{policies::WorkerFailure::kException,
                              policies::WorkerFailure::kOutOfMemory,
                              policies::WorkerFailure::kExit};  // in the order of CrashManner
  fail_process(world, experiment, trial,
               kKinds[static_cast<std::size_t>(faults::effect_of(world.scenario(), fault).manner)],
               number);
  return true;
}

// Every trial that uses the accelerator dies of it.
bool fail_trials_of(World& world, std::uint32_t number) {
  const std::vector<std::uint32_t> trials = trials_using(world, world.faults[number]);
  if (trials.empty()) {
    return false;
  }
  workload::Experiment& experiment =
      *experiment_on(world, *world.faults[number].pool, world.faults[number].node);
  for (const std::uint32_t trial : trials) {
    fail_process(world, experiment, experiment.trials[trial],
                 policies::WorkerFailure::kAcceleratorFault, number);
  }
  return true;
}

// A trial that starts on an accelerator which is out of order: the runtime raises in it.
void use_devices(World& world, workload::Experiment& experiment, workload::Trial& trial) {
  const std::vector<machines::FailedDevice> failed = world.machines.failed_devices();
  for (const machines::FailedDevice& device : failed) {
    const std::vector<std::uint32_t> users = trials_using(world, world.faults[device.fault]);
    if (device.lasting && spec(world, experiment).pool == device.pool && !trial.broken &&
        std::ranges::find(users, workload::number_of(experiment, trial)) != users.end()) {
      fail_process(world, experiment, trial, policies::WorkerFailure::kException, device.fault);
    }
  }
}

// Nobody polls trials: as long as its process lives a trial that hangs is a trial that runs.
bool hang_trial(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  workload::Experiment& experiment = world.experiments[*fault.experiment];
  workload::Trial& trial = experiment.trials[fault.trial];
  if (!has_process(trial) || trial.broken || trial.held || trial.waits_for ||
      trial.stage == workload::TrialStage::kLaunching) {
    return false;
  }
  fire(world, number);
  break_trial(world, experiment, trial, number);
  trial.hung = true;
  if (const auto lasts_us = faults::draw_lasts(world.scenario(), fault)) {
    world.core.schedule(core::EntryKind::kHangOver, world.now_us() + *lasts_us, {.arg = number});
  }
  return true;
}

void trial_hang_over(World& world, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  workload::Experiment& experiment = world.experiments[*fault.experiment];
  workload::Trial& trial = experiment.trials[fault.trial];
  if (!trial.hung || trial.misled || trial.fault != number ||
      trial.stage == workload::TrialStage::kStopping) {
    return;
  }
  const std::int64_t stood_us = world.now_us() - trial.broken_us;
  trial.broken = false;
  trial.hung = false;
  // For the step no time has passed.
  trial.step_begin_us += stood_us;
  const std::int64_t left_us = trial.stage_end_us - trial.broken_us;
  if (trial.stage == workload::TrialStage::kRestoring) {
    set_phase(world, experiment, trial, scenario::Phase::kRestoring, trial.start_cause);
  } else {
    set_phase(world, experiment, trial, scenario::Phase::kTraining, Cause::policy());
    if (computed_at_us(trial) <= world.now_us()) {
      experiment.ledger.enter(trial.track, world.now_us(), reports::Bucket::kCheckpointBlocking,
                              Cause::checkpoint());
    }
  }
  enter_stage(world, experiment, trial, trial.stage, left_us);
  change_pace(world, experiment, trial);
  // A storage may have recovered meanwhile.
  if (world.network.troubled() || trial.part == workload::TrialPart::kMoving) {
    review_transfer(world, experiment, trial);
  }
}

// Of the processes that Ray may kill it takes the one that was placed last (raylet, both of its
// worker killing policies): the actor of a trial is never retried, so none is spared for that. That
// makes room, and the others go on.
bool exhaust_memory_of_trials(World& world, std::uint32_t number) {
  const faults::FaultRecord fault = world.faults[number];
  workload::Experiment* experiment =
      fault.pool ? experiment_on(world, *fault.pool, fault.node) : nullptr;
  if (experiment == nullptr || !world.machines.pool(*fault.pool).node(fault.node).up) {
    return false;
  }
  workload::Trial* newest = nullptr;
  for (const std::uint32_t one : trials_on(world, *experiment, *fault.pool, fault.node)) {
    workload::Trial& trial = experiment->trials[one];
    if (has_process(trial) && (newest == nullptr || trial.placement > newest->placement)) {
      newest = &trial;
    }
  }
  if (newest == nullptr) {
    return false;
  }
  world.faults.update(number, [&](faults::FaultRecord& changed) {
    changed.experiment = experiment->index;
    changed.trial = workload::number_of(*experiment, *newest);
    changed.accelerator = experiments::first_accelerator(experiment->shape, newest->place.slot);
  });
  fire(world, number);
  fail_process(world, *experiment, *newest, policies::WorkerFailure::kOutOfMemory, number);
  return true;
}

void trials_changed_pace(World& world, std::uint32_t pool, std::uint32_t node) {
  workload::Experiment* experiment = experiment_on(world, pool, node);
  if (experiment == nullptr) {
    return;
  }
  for (const std::uint32_t number : trials_on(world, *experiment, pool, node)) {
    change_pace(world, *experiment, experiment->trials[number]);
  }
}

}  // namespace aftershock::sim::world
