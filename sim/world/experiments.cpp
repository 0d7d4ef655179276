#include "sim/world/experiments.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/api/json_as_text.h"
#include "sim/core/entry_kind.h"
#include "sim/drivers/run_name.h"
#include "sim/world/drivers.h"
#include "sim/world/findings.h"
#include "sim/world/interrupted.h"
#include "sim/world/overloaded.h"
#include "sim/world/scheduling.h"
#include "sim/world/stored_runs.h"
#include "sim/world/trials.h"
#include "sim/world/world.h"

// The controllers of experiments: what they get to see, what becomes of their commands, and how
// they begin and end.
namespace aftershock::sim::world {

namespace {

void submit_experiment(World& world, workload::Experiment& experiment);
void start_controller(World& world, workload::Experiment& experiment);

using reports::Cause;
using reports::EntityKind;

}  // namespace

void make_experiments(World& world, std::vector<control::PolicyHost>& hosts) {
  world.experiments.resize(world.scenario().experiments.size());
  for (std::uint32_t i = 0; i < world.experiments.size(); ++i) {
    const scenario::ExperimentSpec& experiment_spec = world.scenario().experiments[i];
    workload::Experiment& experiment = world.experiments[i];
    experiment.index = i;
    experiment.control.host = std::move(hosts[holder_id(world, experiment)]);
    experiment.control.rules_applied.resize(experiment.control.host.info().rules.size());
    experiment.trials.resize(experiment_spec.trials);
    experiment.ledger = reports::TrialLedger(experiment_spec.accelerators_e4);
    experiment.shape = experiments::shape_of_trials(experiment_spec, world.scenario().cluster);
    experiment.places = experiments::TrialPlaces(experiment.shape);
    world.core.schedule(core::EntryKind::kExperimentSubmit, experiment_spec.submit_us,
                        {.entity = i});
  }
  for (std::uint32_t i = 0; i < world.scenario().faults.size(); ++i) {
    if (const auto& experiment = world.scenario().faults[i].step_experiment) {
      world.experiments[*experiment].step_faults.push_back(i);
    }
  }
}

void play_of_experiment(World& world, const engine::Entry& entry) {
  workload::Experiment& experiment = world.experiments[entry.entity];
  switch (core::kind_of(entry)) {
    case core::EntryKind::kExperimentSubmit:
      submit_experiment(world, experiment);
      break;
    case core::EntryKind::kExperimentDeliver:
      experiment.control.deliver_pending = false;
      // A driver that was lost meanwhile has taken its events along, and the entry has stayed.
      if (!experiment.control.pending.empty()) {
        deliver(world, experiment);
      }
      break;
    case core::EntryKind::kExperimentTimer:
      if (experiment.wake_epoch == entry.epoch && experiment.control.driver_up) {
        experiment.control.wake_us.reset();
        notify(world, experiment, policies::Timer{.job = holder_id(world, experiment)});
      }
      break;
    case core::EntryKind::kTrialStageOver: {
      workload::Trial& trial = experiment.trials[static_cast<std::size_t>(entry.arg)];
      if (trial.stage_epoch == entry.epoch) {
        stage_over(world, experiment, trial);
      }
      break;
    }
    default:
      AFTERSHOCK_ASSERT(false && "not an entry of an experiment");
  }
}

namespace {

void submit_experiment(World& world, workload::Experiment& experiment) {
  experiment.submitted = true;
  experiment.control.initial_host = experiment.control.host;
  const std::uint32_t head = spec(world, experiment).head;
  if (world.heads.up(head)) {
    start_controller(world, experiment);
  } else if (!world.heads.returns(head)) {
    end_experiment(world, experiment, workload::Outcome::kFailed,
                   "unrecoverable(no head to run its driver)");
  }
}

void start_controller(World& world, workload::Experiment& experiment) {
  experiment.control.driver_up = true;
  ++experiment.control.drivers;
  const scenario::RunSpec& run = spec(world, experiment).run;
  const std::uint32_t id = holder_id(world, experiment);
  const std::string key =
      drivers::run_key(run, id, experiment.control.drivers, experiment.control.host.info().name);
  // A driver that lives, or ended by itself, has not put its state away yet; this one would find an
  // older one.
  store_runs(world, key, id);
  const drivers::StoredRun& stored = world.stored_runs.at(key);
  const std::string& durable = stored.durable;
  const bool found = !durable.empty();
  experiment.restoring = found || experiment.control.drivers > 1;
  // Nothing of its own in this place is cut short.
  if (key != experiment.control.run_key || !found) {
    experiment.control.torn = {};
  }
  experiment.control.run_key = key;
  experiment.control.driver_run = world.driver_runs.begin(
      {.job = id,
       .nth = experiment.control.drivers,
       .run = drivers::run_path(run, id, experiment.control.drivers),
       .key = key,
       .found_job = found ? std::optional(stored.writer) : std::nullopt,
       .found_steps = {},
       .torn = stored.torn,
       .found_session = drivers::session_of(policies::json_or_discarded(durable)),
       .started_us = world.now_us()});
  notify(world, experiment,
         policies::ControllerStarted{
             .job = holder_id(world, experiment), .durable = durable, .epoch = 0, .missing = {}});
  notify(world, experiment,
         policies::ExperimentSubmitted{.job = holder_id(world, experiment),
                                       .trials = spec(world, experiment).trials});
}

}  // namespace

// The head on which the driver ran is gone, and with it whatever the driver had started.
void experiment_driver_lost(World& world, workload::Experiment& experiment, std::uint32_t fault) {
  if (!experiment.control.driver_up) {
    return;
  }
  if (interrupted(experiment.control.pending)) {
    deliver(world, experiment);
    if (!experiment.control.driver_up) {
      return;
    }
  }
  end_driver_run(world, experiment.control, fault);
  count_again(world, experiment.stuck);
  store_run(world, experiment);
  experiment.control.pending.clear();
  experiment.pending_faults.clear();
  experiment.control.wake_us.reset();
  ++experiment.wake_epoch;
  experiment.down_cause = Cause::fault(fault);
  for (workload::Trial& trial : experiment.trials) {
    if (trial.stage != workload::TrialStage::kIdle) {
      trial.lost_cause = experiment.down_cause;
      leave_attempt(world, experiment, trial);
      // Time without a driver counts as long as another is to come.
      if (world.heads.returns(spec(world, experiment).head)) {
        set_phase(world, experiment, trial, scenario::Phase::kControllerDown,
                  experiment.down_cause);
      }
    }
  }
}

namespace {

// Trials that the last driver left are the business of the next.
void end_absences(World& world, workload::Experiment& experiment) {
  for (workload::Trial& trial : experiment.trials) {
    if (trial.stage == workload::TrialStage::kIdle && trial.track.open) {
      world.core.recorder().end(world.now_us(), trial.span);
      experiment.ledger.close(trial.track, world.now_us());
    }
  }
}

}  // namespace

// A new driver runs the same script again: its controller knows what storage holds, and no more.
void experiment_driver_started(World& world, workload::Experiment& experiment) {
  if (experiment.control.driver_up || experiment.ended || !experiment.submitted) {
    return;
  }
  end_absences(world, experiment);
  experiment.control.host = experiment.control.initial_host;
  start_controller(world, experiment);
}

void end_experiment(World& world, workload::Experiment& experiment, workload::Outcome outcome,
                    std::string reason) {
  if (experiment.ended) {
    return;
  }
  end_absences(world, experiment);
  for (workload::Trial& trial : experiment.trials) {
    if (trial.stage != workload::TrialStage::kIdle) {
      leave_attempt(world, experiment, trial);  // a trial that nobody stopped ends with the driver
    }
    // A trial that has not returned is left with what storage has of it (design.md 5).
    if (trial.attempts > 0 && !trial.done && !trial.name.empty()) {
      // Another experiment of the same name may have written later ones.
      const drivers::StoredTrial& left = stored(world, experiment, trial);
      const drivers::TrialCheckpoint* kept = left.newest_of(experiment.index);
      roll_back(world, experiment, trial,
                kept != nullptr || !trial.from ? kept : left.find(*trial.from));
    }
  }
  end_driver_run(world, experiment.control, std::nullopt);
  experiment.ended = true;
  experiment.outcome = outcome;
  experiment.reason = std::move(reason);
  experiment.ended_us = world.now_us();
  experiment.control.pending.clear();
  experiment.pending_faults.clear();
  ++experiment.wake_epoch;
  world.core.recorder().instant(world.now_us(), {EntityKind::kExperiment, experiment.index},
                                "ended", {{"reason", 0, experiment.reason}});
  count_again(world, experiment.stuck);
  --world.jobs_left;
}

void finish_experiments(World& world) {
  for (workload::Experiment& experiment : world.experiments) {
    if (!experiment.submitted) {
      continue;
    }
    std::int64_t productive_us = 0;
    for (workload::Trial& trial : experiment.trials) {
      if (trial.track.open) {
        if (trial.stage == workload::TrialStage::kTraining && !trial.broken && !trial.held) {
          // The iteration under way is split into computing and saving by the time that it has come
          // to.
          settle_step(world, experiment, trial);
        }
        experiment.ledger.close(trial.track, world.now_us());
        world.core.recorder().end(world.now_us(), trial.span);
      }
      productive_us += trial.track.productive_us;
      experiment.unsaved_us += unsaved_us(world, experiment, trial);
    }
    if (!experiment.ended) {
      experiment.ended_us = world.now_us();
    }
    const std::int64_t counted_us =
        experiment.ledger.totals_us()[static_cast<std::size_t>(reports::Bucket::kProductive)];
    if (productive_us != counted_us) {
      violate(world, "S01",
              fmt::format("experiment {}: trials did {} us productively, their ledger says "
                          "{} us",
                          spec(world, experiment).name, productive_us, counted_us));
    }
  }
}

}  // namespace aftershock::sim::world
