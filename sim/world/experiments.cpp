#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/assert.h"
#include "policies/api/json_as_text.h"
#include "sim/core/entry_kind.h"
#include "sim/world/interrupted.h"
#include "sim/world/overloaded.h"
#include "sim/world/world.h"

// The controllers of experiments: what they get to see, what becomes of their commands, and how
// they begin and end.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

}  // namespace

void World::make_experiments(std::vector<PolicyHost>& hosts) {
  experiments_.resize(core_.scenario().experiments.size());
  for (std::uint32_t i = 0; i < experiments_.size(); ++i) {
    const ExperimentSpec& experiment_spec = core_.scenario().experiments[i];
    Experiment& experiment = experiments_[i];
    experiment.index = i;
    experiment.host = std::move(hosts[jobs_.size() + i]);
    experiment.rules_applied.resize(experiment.host.info().rules.size());
    experiment.trials.resize(experiment_spec.trials);
    experiment.ledger = reports::TrialLedger(experiment_spec.accelerators_e4);
    shape_trials(experiment, experiment_spec, core_.scenario().cluster);
    core_.schedule(EntryKind::kExperimentSubmit, experiment_spec.submit_us, {.entity = i});
  }
  for (std::uint32_t i = 0; i < core_.scenario().faults.size(); ++i) {
    if (const auto& experiment = core_.scenario().faults[i].step_experiment) {
      experiments_[*experiment].step_faults.push_back(i);
    }
  }
  serving_planned_.resize(machines_.pools().size());
}

void World::play_of_experiment(const Entry& entry) {
  Experiment& experiment = experiments_[entry.entity];
  switch (kind_of(entry)) {
    case EntryKind::kExperimentSubmit:
      submit_experiment(experiment);
      break;
    case EntryKind::kExperimentDeliver:
      experiment.deliver_pending = false;
      if (!experiment.pending.empty()) {
        deliver(experiment);
      }
      break;
    case EntryKind::kExperimentTimer:
      if (experiment.wake_epoch == entry.epoch && experiment.driver_up) {
        experiment.wake_us.reset();
        notify(experiment, policies::Timer{.job = job_id(experiment)});
      }
      break;
    case EntryKind::kTrialStageOver: {
      Trial& trial = experiment.trials[static_cast<std::size_t>(entry.arg)];
      if (trial.stage_epoch == entry.epoch) {
        stage_over(experiment, trial);
      }
      break;
    }
    default:
      AFTERSHOCK_ASSERT(false && "not an entry of an experiment");
  }
}

void World::submit_experiment(Experiment& experiment) {
  experiment.submitted = true;
  experiment.initial_host = experiment.host;
  const Head& head = heads_[spec(experiment).head];
  if (head.up) {
    start_controller(experiment);
  } else if (!head.returns) {
    end_experiment(experiment, Outcome::kFailed, "unrecoverable(no head to run its driver)");
  }
}

void World::start_controller(Experiment& experiment) {
  experiment.driver_up = true;
  ++experiment.drivers;
  const RunSpec& run = spec(experiment).run;
  const std::uint32_t id = job_id(experiment);
  const std::string key = run_key(run, id, experiment.drivers, experiment.host.info().name);
  store_runs(key, id);
  const StoredRun& stored = stored_runs_[key];
  const std::string& durable = stored.durable;
  const bool found = !durable.empty();
  experiment.restoring = found || experiment.drivers > 1;
  if (key != experiment.run_key || !found) {
    experiment.torn = {};
  }
  experiment.run_key = key;
  experiment.driver_run = driver_runs_.size();
  driver_runs_.push_back({.job = id,
                          .nth = experiment.drivers,
                          .run = run_path(run, id, experiment.drivers),
                          .key = key,
                          .found_job = found ? std::optional(stored.writer) : std::nullopt,
                          .found_steps = {},
                          .torn = stored.torn,
                          .found_session = session_of(policies::json_or_discarded(durable)),
                          .started_us = core_.now_us()});
  notify(experiment, policies::ControllerStarted{
                         .job = job_id(experiment), .durable = durable, .epoch = 0, .missing = {}});
  notify(experiment, policies::ExperimentSubmitted{.job = job_id(experiment),
                                                   .trials = spec(experiment).trials});
}

// The text is made when somebody may come to read it.
void World::store_run(Experiment& experiment) {
  StoredRun& stored = stored_runs_[experiment.run_key];
  stored.writer = job_id(experiment);
  stored.durable = durable_of(experiment.host.policy(), experiment.driver_run, experiment.torn);
  stored.torn = experiment.torn.name;
}

// The head on which the driver ran is gone, and with it whatever the driver had started.
void World::experiment_driver_lost(Experiment& experiment, std::uint32_t fault) {
  if (!experiment.driver_up) {
    return;
  }
  if (interrupted(experiment.pending)) {
    deliver(experiment);
    if (!experiment.driver_up) {
      return;
    }
  }
  end_driver_run(experiment, fault);
  count_again(experiment.stuck);
  store_run(experiment);
  experiment.driver_up = false;
  experiment.pending.clear();
  experiment.pending_faults.clear();
  experiment.wake_us.reset();
  ++experiment.wake_epoch;
  experiment.down_cause = Cause::fault(fault);
  for (Trial& trial : experiment.trials) {
    if (trial.stage != TrialStage::kIdle) {
      trial.lost_cause = experiment.down_cause;
      leave_attempt(experiment, trial);
      if (head_returns(spec(experiment).head)) {
        set_phase(experiment, trial, Phase::kControllerDown, experiment.down_cause);
      }
    }
  }
}

// What trials that the last driver left would have done is the business of the next.
void World::end_absences(Experiment& experiment) {
  for (Trial& trial : experiment.trials) {
    if (trial.stage == TrialStage::kIdle && trial.track.open) {
      core_.recorder().end(core_.now_us(), trial.span);
      experiment.ledger.close(trial.track, core_.now_us());
    }
  }
}

// A new driver runs the same script again: its controller knows what storage holds, and no more.
void World::experiment_driver_started(Experiment& experiment) {
  if (experiment.driver_up || experiment.ended || !experiment.submitted) {
    return;
  }
  end_absences(experiment);
  experiment.host = experiment.initial_host;
  start_controller(experiment);
}

// What happens to several trials at a time in the same way is one event.
void World::notify(Experiment& experiment, policies::Event event, std::int32_t fault) {
  auto& pending = experiment.pending;
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
  if (!experiment.deliver_pending) {
    experiment.deliver_pending = true;
    core_.schedule(EntryKind::kExperimentDeliver, core_.now_us(), {.entity = experiment.index});
  }
}

void World::deliver(Experiment& experiment) {
  const std::vector<std::int32_t> faults = std::exchange(experiment.pending_faults, {});
  const policies::Decision decision = experiment.host.answer(core_.now_us(), experiment.pending);
  if (lost_policy(experiment.host)) {
    return;
  }
  const auto first = std::ranges::find_if(faults, [](std::int32_t fault) { return fault >= 0; });
  record_decision({EntityKind::kExperiment, experiment.index}, experiment.host,
                  first == faults.end() ? Cause::policy() : Cause{*first}, decision);
  if (decision.watch.wake_us != experiment.wake_us) {
    experiment.wake_us = decision.watch.wake_us;
    ++experiment.wake_epoch;
    if (experiment.wake_us) {
      core_.schedule(EntryKind::kExperimentTimer, std::max(core_.now_us(), *experiment.wake_us),
                     {.entity = experiment.index, .epoch = experiment.wake_epoch});
    }
  }
  if (std::exchange(experiment.restoring, false)) {
    note_restore(experiment);
  }
  for (const policies::Step& step : decision.steps) {
    charge(experiment, step, faults);
    experiment.rules_applied[step.rule] = true;
    for (const policies::Command& command : step.commands) {
      if (!experiment.ended) {
        carry_out(experiment, command);
      }
    }
  }
}

// Which trials the new controller knows of, and which had been started and are lost to it. Of
// these all work is lost, whoever has their numbers now.
void World::note_restore(Experiment& experiment) {
  ExperimentRestore restore;
  restore.t_us = core_.now_us();
  const std::vector<policies::TrialState> states = experiment.host.policy().trials();
  // What was stored says how many there are, whatever the one that restores it submits.
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
    Trial& trial = experiment.trials[i];
    if (trial.name.empty() || trial.name == known[i]) {
      continue;
    }
    if (known[i].empty()) {
      restore.lost_trials.push_back(i);
    }
    trial.lost_cause = experiment.down_cause;
    roll_back(experiment, trial, nullptr);
    trial.done = false;
    trial.name.clear();
  }
  if (driver_runs_[experiment.driver_run].found_job) {
    experiment.restores.push_back(std::move(restore));
  }
}

void World::charge(Experiment& experiment, const policies::Step& step,
                   const std::vector<std::int32_t>& event_faults) {
  for (const policies::BudgetMove& move : step.budgets) {
    ChargeRecord record;
    record.t_us = core_.now_us();
    if (!step.saw.empty() && step.saw.front() < event_faults.size()) {
      record.fault = event_faults[step.saw.front()];
    }
    record.rule = step.rule;
    record.to_state = step.to_state;
    record.decision = step.decision;
    record.move = move;
    experiment.charges.push_back(record);
    if (move.exhausted && move.limit && !move.exempt && move.used <= *move.limit) {
      violate("S11",
              fmt::format("experiment {}: budget {} exhausted at {} of {}", spec(experiment).name,
                          experiment.host.info().budgets[move.budget], move.used, *move.limit));
    }
  }
}

void World::carry_out(Experiment& experiment, const policies::Command& command) {
  const auto no_such = [&](const auto& asked) {
    refuse(experiment, asked.id, policies::CommandError::kUnknownTarget);
  };
  std::visit(Overloaded{[&](const policies::StartTrial& asked) { start_trial(experiment, asked); },
                        [&](const policies::StopTrials& asked) { stop_trials(experiment, asked); },
                        [&](const policies::DeleteTrialCheckpoints& asked) {
                          if (asked.trial >= experiment.trials.size()) {
                            no_such(asked);
                            return;
                          }
                          StoredTrial& held = stored(experiment, experiment.trials[asked.trial]);
                          for (const policies::CheckpointId id : asked.checkpoints) {
                            held.remove(id);
                          }
                        },
                        [&](const policies::Persist&) {
                          if (experiment.torn.name == "snapshot") {
                            experiment.torn = {};
                          }
                        },
                        [&](const policies::Complete& asked) {
                          const bool active = std::ranges::any_of(
                              experiment.trials,
                              [](const Trial& trial) { return trial.stage != TrialStage::kIdle; });
                          if (active) {
                            refuse(experiment, asked.id, policies::CommandError::kIllegalState);
                            return;
                          }
                          end_experiment(experiment, Outcome::kCompleted, "completed");
                        },
                        [&](const policies::Fail& asked) {
                          end_experiment(experiment,
                                         asked.reason == "stopped_by_user" ? Outcome::kAborted
                                                                           : Outcome::kFailed,
                                         asked.reason);
                        },
                        no_such},
             command);
}

void World::refuse(Experiment& experiment, policies::CommandId command,
                   policies::CommandError error) {
  notify(experiment, policies::CommandResult{.command = command, .error = error, .definite = true});
}

void World::end_experiment(Experiment& experiment, Outcome outcome, std::string reason) {
  if (experiment.ended) {
    return;
  }
  end_absences(experiment);
  for (Trial& trial : experiment.trials) {
    if (trial.stage != TrialStage::kIdle) {
      leave_attempt(experiment, trial);  // what nobody stopped ends with the driver
    }
    if (trial.attempts > 0 && !trial.done && !trial.name.empty()) {
      // Another experiment of the same name may have written later ones.
      const StoredTrial& left = stored(experiment, trial);
      const TrialCheckpoint* kept = left.newest_of(experiment.index);
      roll_back(experiment, trial, kept != nullptr || !trial.from ? kept : left.find(*trial.from));
    }
  }
  experiment.driver_up = false;
  end_driver_run(experiment, std::nullopt);
  experiment.ended = true;
  experiment.outcome = outcome;
  experiment.reason = std::move(reason);
  experiment.ended_us = core_.now_us();
  experiment.pending.clear();
  experiment.pending_faults.clear();
  ++experiment.wake_epoch;
  core_.recorder().instant(core_.now_us(), {EntityKind::kExperiment, experiment.index}, "ended",
                           {{"reason", 0, experiment.reason}});
  count_again(experiment.stuck);
  --jobs_left_;
}

void World::finish_experiments() {
  for (Experiment& experiment : experiments_) {
    if (!experiment.submitted) {
      continue;
    }
    std::int64_t productive_us = 0;
    for (Trial& trial : experiment.trials) {
      if (trial.track.open) {
        if (trial.stage == TrialStage::kTraining && !trial.broken && !trial.held) {
          settle_step(experiment, trial);
        }
        experiment.ledger.close(trial.track, core_.now_us());
        core_.recorder().end(core_.now_us(), trial.span);
      }
      productive_us += trial.track.productive_us;
      experiment.unsaved_us += unsaved_us(experiment, trial);
    }
    if (!experiment.ended) {
      experiment.ended_us = core_.now_us();
    }
    const std::int64_t counted_us =
        experiment.ledger.totals_us()[static_cast<std::size_t>(reports::Bucket::kProductive)];
    if (productive_us != counted_us) {
      violate("S01", fmt::format("experiment {}: trials did {} us productively, their ledger says "
                                 "{} us",
                                 spec(experiment).name, productive_us, counted_us));
    }
  }
}

}  // namespace aftershock::sim
