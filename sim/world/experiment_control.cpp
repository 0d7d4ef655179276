#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/core/entry_kind.h"
#include "sim/world/controlling.h"
#include "sim/world/experiments.h"
#include "sim/world/findings.h"
#include "sim/world/overloaded.h"
#include "sim/world/refusal.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

// Events in, decisions out: what the controller of an experiment gets to see, and what becomes of
// its commands.
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::EntityKind;

// Which trials the new controller knows of, and which had been started and are lost to it. Of
// these all work is lost, whoever has their numbers now.
void note_restore(World& world, workload::Experiment& experiment) {
  workload::ExperimentRestore restore;
  restore.t_us = world.now_us();
  const std::vector<policies::TrialState> states = experiment.control.host.policy().trials();
  // The stored state says how many trials there are, whatever the driver that restores it submits.
  experiment.trials.resize(std::max(experiment.trials.size(), states.size()));
  std::vector<std::string> known(experiment.trials.size());
  for (const policies::TrialState& state : states) {
    if (state.trial < known.size()) {
      known[state.trial] = state.id;
      ++restore.trials;
    }
  }
  // One that refuses to begin has made none, and storage is as it was.
  for (std::uint32_t i = 0; restore.trials > 0 && i < known.size(); ++i) {
    workload::Trial& trial = experiment.trials[i];
    if (trial.name.empty() || trial.name == known[i]) {
      continue;
    }
    if (known[i].empty()) {
      restore.lost_trials.push_back(i);
    }
    trial.lost_cause = experiment.down_cause;
    roll_back(world, experiment, trial, nullptr);
    trial.done = false;
    trial.name.clear();
  }
  if (world.driver_runs[experiment.control.driver_run].found_job) {
    experiment.restores.push_back(std::move(restore));
  }
}

}  // namespace

// Several trials that fail or stop at a time in the same way are one event.
void notify(World& world, workload::Experiment& experiment, policies::Event event,
            std::int32_t fault) {
  auto& pending = experiment.control.pending;
  if (!pending.empty() && experiment.pending_faults.back() == fault) {
    if (auto* failed = std::get_if<policies::TrialsFailed>(&event)) {
      auto* last = std::get_if<policies::TrialsFailed>(&pending.back());
      if (last != nullptr && last->kind == failed->kind && last->preempted == failed->preempted &&
          last->restoring == failed->restoring && last->error == failed->error) {
        last->trials.add(failed->trials);
        return;
      }
    } else if (auto* ended = std::get_if<policies::TrialsStopped>(&event)) {
      if (auto* last = std::get_if<policies::TrialsStopped>(&pending.back()); last != nullptr) {
        last->trials.add(ended->trials);
        return;
      }
    }
  }
  pending.push_back(std::move(event));
  experiment.pending_faults.push_back(fault);
  if (!experiment.control.deliver_pending) {
    experiment.control.deliver_pending = true;
    world.core.schedule(core::EntryKind::kExperimentDeliver, world.now_us(),
                        {.entity = experiment.index});
  }
}

void charge(World& world, workload::Experiment& experiment, const policies::Step& step,
            const std::vector<std::int32_t>& event_faults) {
  // A step that saw several events is charged to the first that it names.
  const bool answers = !step.saw.empty() && step.saw.front() < event_faults.size();
  const std::int32_t fault = answers ? event_faults[step.saw.front()] : -1;
  for (const policies::BudgetMove& move : step.budgets) {
    workload::add_charge(experiment.control, world.now_us(), step, move, fault);
    if (move.exhausted && move.limit && !move.exempt && move.used <= *move.limit) {
      violate(world, "S11",
              fmt::format(
                  "experiment {}: budget {} exhausted at {} of {}", spec(world, experiment).name,
                  experiment.control.host.info().budgets[move.budget], move.used, *move.limit));
    }
  }
}

void carry_out(World& world, workload::Experiment& experiment, const policies::Command& command) {
  const auto no_such = [&](const auto& asked) {
    refuse(world, experiment, asked.id, policies::CommandError::kUnknownTarget);
  };
  std::visit(
      Overloaded{[&](const policies::StartTrial& asked) { start_trial(world, experiment, asked); },
                 [&](const policies::StopTrials& asked) { stop_trials(world, experiment, asked); },
                 [&](const policies::DeleteTrialCheckpoints& asked) {
                   if (asked.trial >= experiment.trials.size()) {
                     no_such(asked);
                     return;
                   }
                   drivers::StoredTrial& held =
                       stored(world, experiment, experiment.trials[asked.trial]);
                   for (const policies::CheckpointId id : asked.checkpoints) {
                     held.remove(id);
                   }
                 },
                 [&](const policies::Persist&) {
                   if (experiment.control.torn.name == "snapshot") {
                     experiment.control.torn = {};
                   }
                 },
                 [&](const policies::Complete& asked) {
                   // Processes that nobody stopped would go on in an experiment that is over.
                   const bool active =
                       std::ranges::any_of(experiment.trials, [](const workload::Trial& trial) {
                         return trial.stage != workload::TrialStage::kIdle;
                       });
                   if (active) {
                     refuse(world, experiment, asked.id, policies::CommandError::kIllegalState);
                     return;
                   }
                   end_experiment(world, experiment, workload::Outcome::kCompleted, "completed");
                 },
                 [&](const policies::Fail& asked) {
                   end_experiment(world, experiment,
                                  asked.reason == "stopped_by_user" ? workload::Outcome::kAborted
                                                                    : workload::Outcome::kFailed,
                                  asked.reason);
                 },
                 no_such},
      command);
}

void deliver(World& world, workload::Experiment& experiment) {
  const std::vector<std::int32_t> faults = std::exchange(experiment.pending_faults, {});
  const policies::Decision decision =
      experiment.control.host.answer(world.now_us(), experiment.control.pending);
  if (lost_policy(world, experiment.control.host)) {
    return;
  }
  const auto first = std::ranges::find_if(faults, [](std::int32_t fault) { return fault >= 0; });
  record_decision(world, {EntityKind::kExperiment, experiment.index}, experiment.control.host,
                  first == faults.end() ? Cause::policy() : Cause{*first}, decision);
  if (decision.watch.wake_us != experiment.control.wake_us) {
    experiment.control.wake_us = decision.watch.wake_us;
    ++experiment.wake_epoch;
    if (experiment.control.wake_us) {
      world.core.schedule(core::EntryKind::kExperimentTimer,
                          std::max(world.now_us(), *experiment.control.wake_us),
                          {.entity = experiment.index, .epoch = experiment.wake_epoch});
    }
  }
  // Before the steps: they start trials by numbers which are the restored controller's, not those
  // of the one before.
  if (std::exchange(experiment.restoring, false)) {
    note_restore(world, experiment);
  }
  for (const policies::Step& step : decision.steps) {
    charge(world, experiment, step, faults);
    experiment.control.rules_applied[step.rule] = true;
    for (const policies::Command& command : step.commands) {
      if (!experiment.ended) {
        carry_out(world, experiment, command);
      }
    }
  }
}

}  // namespace aftershock::sim::world
