#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/scenario/fault_catalogue.h"
#include "sim/world/entries.h"
#include "sim/world/world.h"

// Heads, and the drivers on them: the processes that start a run's controller and end with it
// (reference ray.md 1.9).
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

constexpr std::string_view kFreshName = "{uuid}";

}  // namespace

std::string World::durable_of(const Job& job) const {
  std::string text = job.host.policy().durable(now_us_).dump();
  return job.torn_file.empty() ? text : torn(std::move(text), job.torn_file);
}

// Where another driver would look for it; empty where none can know the name.
std::string World::run_name(const Job& job) const {
  const RunSpec& run = spec(job).run;
  std::string name = run.name;
  if (name.empty()) {
    return {};
  }
  if (const auto at = name.find(kFreshName); at != std::string::npos) {
    name.replace(at, kFreshName.size(), fmt::format("{:04x}{:04x}", job.index, job.drivers));
  }
  std::string_view path = run.storage_path;
  while (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  return fmt::format("{}/{}", path, name);
}

void World::store_run(const Job& job) {
  if (job.run_key.empty() || !job.persisted) {
    return;
  }
  StoredJobRun& stored = stored_runs_[job.run_key];
  stored.writer = job.index;
  stored.durable = durable_of(job);
  stored.checkpoints.clear();
  std::ranges::copy_if(job.checkpoints, std::back_inserter(stored.checkpoints),
                       [](const auto& one) { return one.state == CheckpointState::kCommitted; });
}

// What another driver left under the job's name. False when there is nothing.
bool World::find_run(Job& job) {
  for (const Job& other : jobs_) {
    if (other.index != job.index && other.run_key == job.run_key) {
      store_run(other);
    }
  }
  const auto found = stored_runs_.find(job.run_key);
  if (found == stored_runs_.end()) {
    return false;
  }
  const StoredJobRun& stored = found->second;
  DriverRun& run = driver_runs_[job.driver_run];
  run.found_job = stored.writer;
  run.torn = jobs_[stored.writer].torn_file;
  if (stored.writer == job.index) {
    return true;
  }
  // The other run's checkpoints are this one's now. Its steps are what counts in them.
  const std::int64_t their_step_us = scenario_->jobs[stored.writer].step_us;
  job.checkpoints = stored.checkpoints;
  for (Checkpoint& checkpoint : job.checkpoints) {
    checkpoint.epoch = 0;
    checkpoint.work_us = checkpoint.work_us / their_step_us * spec(job).step_us;
    if (const auto total_us = total_work_us(spec(job))) {
      checkpoint.work_us = std::min(checkpoint.work_us, *total_us);
    }
    checkpoint.productive_us = 0;
    job.next_checkpoint = std::max(job.next_checkpoint, checkpoint.id + 1);
  }
  if (!job.checkpoints.empty()) {
    job.committed = job.checkpoints.back().id;
  }
  return true;
}

void World::start_driver(Job& job) {
  if (job.drivers > 0) {
    job.host = job.fresh;
  }
  ++job.drivers;
  job.driver_up = true;
  const std::string name = run_name(job);
  const bool same_name = name == job.run_key && job.drivers > 1;
  job.run_key = name;
  job.committed_work_us = 0;  // what goes on from here is for the new controller to say
  job.driver_run = driver_runs_.size();
  driver_runs_.push_back(
      {.job = job.index, .nth = job.drivers, .run = name, .started_us = now_us_});
  std::string durable;
  const bool found = !name.empty() && find_run(job);
  if (found) {
    durable = stored_runs_.at(name).durable;
  }
  if (!found || !same_name) {
    job.torn_file.clear();
    job.persisted = found;
  }
  if (!found) {
    // Nothing of an earlier run is in this place; what it left elsewhere nobody looks for.
    std::erase_if(job.checkpoints, [](const Checkpoint&) { return true; });
    job.uncommitted = 0;
    job.committed = 0;
    job.committed_work_us = 0;
  } else if (const Checkpoint* last = find_checkpoint(job, job.committed)) {
    driver_runs_[job.driver_run].found_steps = last->work_us / spec(job).step_us;
  }
  recorder_.instant(now_us_, {EntityKind::kJob, job.index}, "driver_started",
                    {{"nth", job.drivers}, {"found", found ? 1 : 0}});
  set_phase(job, Phase::kDeciding, job.start_cause);
  policies::ControllerStarted started{
      .job = job.index, .durable = std::move(durable), .epoch = job.epoch, .missing = {}};
  for (const Checkpoint& checkpoint : job.checkpoints) {
    if (checkpoint.deleted_by) {
      started.missing.push_back(checkpoint.id);
    }
  }
  notify(job, std::move(started));
  notify(job, policies::JobSubmitted{.job = job.index, .workers = spec(job).workers});
}

void World::end_driver_run(Job& job, std::optional<std::uint32_t> fault) {
  if (!std::exchange(job.driver_up, false)) {
    return;
  }
  driver_runs_[job.driver_run].ended_us = now_us_;
  driver_runs_[job.driver_run].ended_by = fault;
}

// The controller is gone and its workers with it: Ray's actors do not outlive their owner.
void World::driver_lost(Job& job, std::uint32_t fault) {
  if (!job.ledger || job.stage == Stage::kEnded || !job.driver_up) {
    return;
  }
  store_run(job);
  end_driver_run(job, fault);
  const Cause cause = Cause::fault(fault);
  const bool worked = has_processes(job);
  if (worked && !job.broken) {
    break_attempt(job, fault);
  } else {
    RecoveryStory recovery;
    recovery.fault = fault;
    recovery.high_water_us = job.high_water_us;
    job.recoveries.push_back(std::move(recovery));
    job.start_cause = cause;
    job.lost_cause = worked ? cause : job.lost_cause;
  }
  if (worked || job.stage == Stage::kTearingDown) {
    hold_work(job);
  }
  std::erase(queue_, job.index);
  if (job.holding) {
    pools_[spec(job).pool].release(job.placement, now_us_);
    job.holding = false;
  }
  free_leaks(job, std::nullopt);
  job.failures.clear();
  job.broken = false;
  job.stalled = false;
  job.replacing = false;
  job.waiting = false;
  job.notice.reset();
  job.pending.clear();
  job.watch.reset();
  watch_capacity(job, std::nullopt);
  job.drain.reset();
  job.hang.reset();
  job.wake_us.reset();
  plan_poll(job);
  if (job.attempt_span != 0) {
    recorder_.end(now_us_, std::exchange(job.attempt_span, 0));
  }
  enter_stage(job, Stage::kNone, std::nullopt);
  calendar_.push(now_us_, EntryClass::kScheduling, static_cast<std::uint16_t>(What::kServeQueue),
                 spec(job).pool);
  set_phase(job, Phase::kControllerDown, cause);
  if (!heads_[spec(job).head].returns) {
    end_job(job, Outcome::kFailed, driver_lost_reason(fault));
  }
}

bool World::head_down(std::uint32_t number) {
  const std::uint32_t index = *faults_[number].head;
  Head& head = heads_[index];
  if (!head.up) {
    return false;
  }
  faults_[number].fired = true;
  record_fault(number);
  head.up = false;
  const auto& restart = scenario_->cluster.heads[index].restart;
  head.returns = restart && (!restart->limit || head.restarts < *restart->limit);
  if (head.returns) {
    ++head.restarts;
    const RandomKey key{scenario_->seed, 0, RandomSource::kHead, index};
    calendar_.push(
        now_us_ + draw_us(restart->after, RandomDraw(key, head.restarts, Purpose::kRepair)),
        EntryClass::kFault, static_cast<std::uint16_t>(What::kHeadBack), index);
  }
  recorder_.instant(now_us_, {EntityKind::kHead, index}, "down", {{"fault", number}});
  for (Job& job : jobs_) {
    if (spec(job).head == index) {
      driver_lost(job, number);
    } else if (scenario_->cluster.workers_die_with_head && has_processes(job)) {
      RankFailure failure;
      failure.ranks = policies::RankSet::range(0, job.workers);
      failure.kind = policies::WorkerFailure::kNodeLost;
      failure.visible_us = now_us_;
      failure.fault = number;
      fail_ranks(job, std::move(failure));
    }
  }
  for (Experiment& experiment : experiments_) {
    if (spec(experiment).head != index || !experiment.driver_up) {
      continue;
    }
    experiment_driver_lost(experiment, number);
    end_driver_run(experiment, number);
    if (!head.returns) {
      end_experiment(experiment, Outcome::kFailed, driver_lost_reason(number));
    }
  }
  return true;
}

std::string World::driver_lost_reason(std::uint32_t fault) const {
  return fmt::format("unrecoverable(driver lost: {})", name_of(effect_of(faults_[fault]).kind));
}

void World::end_driver_run(Experiment& experiment, std::optional<std::uint32_t> fault) {
  if (experiment.drivers == 0 || driver_runs_[experiment.driver_run].ended_us) {
    return;
  }
  driver_runs_[experiment.driver_run].ended_us = now_us_;
  driver_runs_[experiment.driver_run].ended_by = fault;
}

void World::head_back(std::uint32_t head) {
  heads_[head].up = true;
  heads_[head].returns = false;
  recorder_.instant(now_us_, {EntityKind::kHead, head}, "up");
  for (Job& job : jobs_) {
    if (spec(job).head == head && job.ledger && job.stage != Stage::kEnded && !job.driver_up) {
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
