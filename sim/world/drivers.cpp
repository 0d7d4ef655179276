#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "sim/core/entry_kind.h"
#include "sim/scenario/faults/fault_catalogue.h"
#include "sim/workload/recoveries.h"
#include "sim/world/interrupted.h"
#include "sim/world/world.h"

// Heads, and the drivers on them: the processes that start a run's controller and end with it
// (ray.md 1.9).
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

// The trial of a Train V1 run; empty where there is none.
std::string trial_name(const Job& job) {
  const auto trials = job.host.policy().trials();
  return trials.empty() ? std::string() : trials.front().id;
}

}  // namespace

// What storage holds of a controller, and whether it left a file of its own session there.
std::string World::durable_of(const policies::Policy& policy, std::size_t driver_run,
                              TornFile& file) {
  const nlohmann::json durable = policy.durable(core_.now_us());
  DriverRun& run = driver_runs_[driver_run];
  const auto session = session_of(durable);
  run.has_session = session && session != run.found_session;
  // What is written again and again is whole again after the next time.
  if (const auto stored_us = policy.stored_us(core_.now_us());
      file.name == "snapshot" && stored_us && *stored_us > file.at_us) {
    file.name.clear();
  }
  std::string text = durable.is_null() ? std::string() : policies::text_from_json(durable);
  return file.name.empty() ? text : torn(std::move(text), file.name);
}

// Unless another job has written under the name since.
void World::store_run(Job& job) {
  if (job.run_key.empty() || job.write_stamp == 0) {
    return;
  }
  StoredRun& stored = stored_runs_[job.run_key];
  if (stored.write_stamp > job.write_stamp) {
    return;
  }
  stored.write_stamp = job.write_stamp;
  stored.writer = job.index;
  stored.durable = durable_of(job.host.policy(), job.driver_run, job.torn);
  stored.torn = job.torn.name;
  const std::string trial = trial_name(job);
  if (trial.empty() && !stored.checkpoints.empty() && !stored.checkpoints.back().trial.empty()) {
    return;  // a restore that was refused has left them alone
  }
  std::erase_if(stored.checkpoints, [&](const Checkpoint& one) { return one.trial == trial; });
  for (Checkpoint& checkpoint : job.checkpoints) {
    if (checkpoint.state == CheckpointState::kCommitted) {
      checkpoint.trial = trial;
      stored.checkpoints.push_back(checkpoint);
    }
  }
}

// Brings up to date what a new driver finds: what drivers stored that live, or ended by themselves.
// Of one that was lost it was put away at that moment.
void World::store_runs(const std::string& key, std::uint32_t holder) {
  for (std::size_t i = 0; i < driver_runs_.size(); ++i) {
    const DriverRun& run = driver_runs_[i];
    if (run.key != key || run.ended_by || run.job == holder) {
      continue;
    }
    if (run.job >= jobs_.size()) {
      Experiment& experiment = experiments_[run.job - jobs_.size()];
      if (experiment.driver_run == i) {
        store_run(experiment);
      }
    } else if (jobs_[run.job].driver_run == i) {
      store_run(jobs_[run.job]);
    }
  }
}

// What another driver left under the job's name. False when there is nothing.
bool World::find_run(Job& job) {
  store_runs(job.run_key, job.index);
  const auto found = stored_runs_.find(job.run_key);
  if (found == stored_runs_.end() || found->second.durable.empty()) {
    return false;
  }
  const StoredRun& stored = found->second;
  DriverRun& run = driver_runs_[job.driver_run];
  run.found_job = stored.writer;
  run.found_session = session_of(policies::json_or_discarded(stored.durable));
  run.torn = stored.torn;
  job.found_run = true;
  if (stored.writer == job.index || stored.writer >= jobs_.size()) {
    return true;
  }
  // The other run's checkpoints are this one's now. Its steps are what counts in them.
  const std::int64_t their_step_us = core_.scenario().jobs[stored.writer].step_us;
  job.checkpoints = stored.checkpoints;
  job.committed = 0;
  for (Checkpoint& checkpoint : job.checkpoints) {
    checkpoint.epoch = 0;
    checkpoint.work_us = checkpoint.work_us / their_step_us * spec(job).step_us;
    if (const auto total_us = total_work_us(spec(job))) {
      checkpoint.work_us = std::min(checkpoint.work_us, *total_us);
    }
    checkpoint.productive_us = 0;
    job.next_checkpoint = std::max(job.next_checkpoint, checkpoint.id + 1);
    job.committed = checkpoint.id;
  }
  return true;
}

// A trial of Train V1 that does not go on with what was found has a directory of its own, and
// counts its checkpoints anew.
void World::take_up_run(Job& job) {
  const std::string trial = trial_name(job);
  if (trial.empty() || job.checkpoints.empty() || job.checkpoints.back().trial == trial) {
    std::erase_if(job.checkpoints,
                  [&](const Checkpoint& one) { return !trial.empty() && one.trial != trial; });
    return;
  }
  forget_run(job);
}

void World::forget_run(Job& job) {
  checker_.forgot_run(job);
  const std::string trial = job.checkpoints.empty() ? "" : job.checkpoints.back().trial;
  if (const auto old = stored_runs_.find(job.run_key); old != stored_runs_.end()) {
    for (Leftover& leftover : job.leftovers) {
      leftover.trial = trial;
      old->second.leftovers.push_back(std::move(leftover));
    }
  }
  job.leftovers.clear();
  job.checkpoints.clear();
  job.uncommitted = 0;
  job.committed = 0;
  job.committed_work_us = 0;
  job.next_checkpoint = 1;
}

void World::start_driver(Job& job) {
  if (job.drivers > 0) {
    job.host = job.initial_host;
  }
  ++job.drivers;
  job.driver_up = true;
  if (job.host.info().watches_nodes) {
    start_control_plane(job);
    return;
  }
  const RunSpec& run = spec(job).run;
  const std::string path = run_path(run, job.index, job.drivers);
  std::string key;
  if (!path.empty()) {
    key = run_key(run, job.index, job.drivers, job.host.info().name);
  }
  const bool same_name = !key.empty() && key == job.run_key;
  // A script that finds its checkpoints by itself does, whoever starts it.
  const bool finds_itself = !job.host.info().commits_checkpoints;
  if (!same_name && !finds_itself) {
    forget_run(job);  // what there is of it is in another place, where nobody looks
  }
  job.run_key = key;
  job.write_stamp = same_name ? job.write_stamp : 0;
  if (!finds_itself) {
    job.committed_work_us = 0;  // what goes on from here is for the new controller to say
  }
  job.driver_run = driver_runs_.size();
  driver_runs_.push_back({.job = job.index,
                          .nth = job.drivers,
                          .run = path,
                          .key = key,
                          .found_job = {},
                          .found_steps = {},
                          .torn = {},
                          .started_us = core_.now_us()});
  std::string durable;
  const bool found = !key.empty() && find_run(job);
  if (found) {
    durable = stored_runs_.at(key).durable;
  }
  if (!found || !same_name) {
    job.torn = {};
    job.persisted = found;
  }
  if (!found && !finds_itself) {
    // Nothing of an earlier run is in this place.
    job.checkpoints.clear();
    job.uncommitted = 0;
    job.committed = 0;
  } else if (const Checkpoint* last = find_checkpoint(job, job.committed)) {
    driver_runs_[job.driver_run].found_steps = last->work_us / spec(job).step_us;
  }
  core_.recorder().instant(core_.now_us(), {EntityKind::kJob, job.index}, "driver_started",
                           {{"nth", job.drivers}, {"found", found ? 1 : 0}});
  set_phase(job, Phase::kDeciding, job.start_cause);
  policies::ControllerStarted started{
      .job = job.index, .durable = std::move(durable), .epoch = job.epoch, .missing = {}};
  for (const Checkpoint& checkpoint : job.checkpoints) {
    if (checkpoint.deleted_by) {
      started.missing.push_back(checkpoint.id);
    }
  }
  checker_.controller_started(job);
  notify(job, std::move(started));
  notify(job, policies::JobSubmitted{.job = job.index, .workers = spec(job).workers});
}

void World::end_driver_run(Job& job, std::optional<std::uint32_t> fault) {
  if (!std::exchange(job.driver_up, false)) {
    return;
  }
  driver_runs_[job.driver_run].ended_us = core_.now_us();
  driver_runs_[job.driver_run].ended_by = fault;
}

// The controller is gone and its workers with it: Ray's actors do not outlive their owner.
void World::driver_lost(Job& job, std::uint32_t fault) {
  if (!job.ledger || job.stage == Stage::kEnded || !job.driver_up) {
    return;
  }
  if (interrupted(job.pending)) {
    deliver(job);
    if (job.stage == Stage::kEnded) {
      return;
    }
  }
  count_again(job.stuck);
  const bool kept = !spec(job).control_plane.loses_state && effect_of(faults_[fault]).state_kept;
  checker_.controller_lost(job, kept);
  if (job.host.info().watches_nodes) {
    job.platform_state =
        kept ? policies::text_from_json(job.host.policy().durable(core_.now_us())) : std::string();
    if (outlives_control_plane(job, kept)) {
      leave_alone(job, fault);
      return;
    }
  } else {
    store_run(job);
  }
  lose_artifacts(job.artifacts, spec(job).run.sync_period_us, core_.now_us());
  end_driver_run(job, fault);
  if (job.aborting) {
    end_job(job, Outcome::kAborted, "stopped_by_user");
    return;
  }
  const Cause cause = Cause::fault(fault);
  const bool worked = has_processes(job);
  if (worked && !job.broken) {
    break_attempt(job, fault);
  } else {
    open_recovery(job, fault, core_.now_us());
    job.start_cause = cause;
    job.lost_cause = worked ? cause : job.lost_cause;
  }
  if (worked || job.stage == Stage::kTearingDown) {
    hold_work(job);
  }
  std::erase(queue_, job.index);
  if (job.holding) {
    machines_.pool(spec(job).pool).release(job.placement, core_.now_us());
    job.holding = false;
  }
  free_leaks(job, std::nullopt);
  job.failures.clear();
  job.broken = false;
  job.stalled = false;
  job.replacing = false;
  job.recreating = false;
  job.awaits_pods = false;
  job.kept = false;
  job.waiting = false;
  job.notice.reset();
  job.pending.clear();
  stop_watching(job);
  if (job.attempt_span != 0) {
    core_.recorder().end(core_.now_us(), std::exchange(job.attempt_span, 0));
  }
  enter_stage(job, Stage::kNone, std::nullopt);
  core_.schedule(EntryKind::kServeQueue, core_.now_us(), {.entity = spec(job).pool});
  set_phase(job, Phase::kControllerDown, cause);
  if (!head_returns(spec(job).head)) {
    end_job(job, Outcome::kFailed, driver_lost_reason(fault));
  }
}

bool World::head_down(std::uint32_t number) {
  const std::uint32_t index = *faults_[number].head;
  if (!heads_[index].up) {
    return false;
  }
  fire(number);
  lose_head(index, number, 0);
  return true;
}

// Restarts begin when it could run again.
void World::lose_head(std::uint32_t index, std::uint32_t number, std::int64_t dark_us) {
  Head& head = heads_[index];
  head.up = false;
  const auto& restart = core_.scenario().cluster.heads[index].restart;
  std::int64_t back_us = core_.now_us();
  head.returns = restart && (!restart->limit || head.restarts < *restart->limit);
  if (head.returns) {
    ++head.restarts;
    const RandomKey key{core_.scenario().seed, core_.branch(), RandomSource::kHead, index};
    back_us = core_.now_us() + dark_us +
              draw_us(restart->after, RandomDraw(key, head.restarts, Purpose::kRepair));
    core_.schedule(EntryKind::kHeadBack, back_us, {.entity = index});
  }
  core_.recorder().instant(core_.now_us(), {EntityKind::kHead, index}, "down", {{"fault", number}});
  for (Job& job : jobs_) {
    if (!on_head(job)) {
      continue;  // nor are its pods the head's
    }
    if (spec(job).head == index) {
      const bool crashed = job.drivers > 0 && !job.driver_up && job.stage != Stage::kEnded;
      driver_lost(job, number);
      if (crashed && !head.returns) {  // its policy was to be started again here
        end_job(job, Outcome::kFailed, driver_lost_reason(number));
      }
      if (head.returns && job.ledger && job.stage != Stage::kEnded) {
        constexpr std::int64_t kSlackUs = 60'000'000;
        checker_.expect(job, DeadlineKind::kDecides, back_us + kSlackUs);
      }
    } else if (core_.scenario().cluster.workers_die_with_head && !job.host.info().watches_nodes &&
               has_processes(job)) {
      RankFailure failure;
      failure.ranks = policies::RankSet::range(0, job.workers);
      failure.kind = policies::WorkerFailure::kNodeLost;
      failure.visible_us = core_.now_us();
      failure.fault = number;
      fail_ranks(job, std::move(failure));
    }
  }
  for (Experiment& experiment : experiments_) {
    if (spec(experiment).head != index || !experiment.driver_up) {
      continue;
    }
    experiment_driver_lost(experiment, number);
    if (!head.returns) {
      end_experiment(experiment, Outcome::kFailed, driver_lost_reason(number));
    }
  }
}

std::string World::driver_lost_reason(std::uint32_t fault) const {
  return fmt::format("unrecoverable(driver lost: {})", name_of(effect_of(faults_[fault]).kind));
}

void World::end_driver_run(Experiment& experiment, std::optional<std::uint32_t> fault) {
  if (experiment.drivers == 0 || driver_runs_[experiment.driver_run].ended_us) {
    return;
  }
  driver_runs_[experiment.driver_run].ended_us = core_.now_us();
  driver_runs_[experiment.driver_run].ended_by = fault;
}

void World::head_back(std::uint32_t head) {
  heads_[head].up = true;
  heads_[head].returns = false;
  core_.recorder().instant(core_.now_us(), {EntityKind::kHead, head}, "up");
  for (Job& job : jobs_) {
    if (spec(job).head == head && on_head(job) && job.ledger && job.stage != Stage::kEnded &&
        !job.driver_up) {
      start_driver(job);
    }
  }
  for (Experiment& experiment : experiments_) {
    if (spec(experiment).head == head) {
      experiment_driver_started(experiment);
    }
  }
}

}  // namespace aftershock::sim
