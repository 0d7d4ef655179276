#include <algorithm>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// What befalls drivers, snapshots, uploads and reports rather than nodes.
namespace aftershock::sim {

namespace {

using reports::Cause;

}  // namespace

// User code of these ranks raises; their processes live and answer.
void World::raise_in(Job& job, policies::RankSet ranks, std::uint32_t fault, std::string error) {
  RankFailure failure;
  failure.ranks = std::move(ranks);
  failure.kind = policies::WorkerFailure::kException;
  failure.error = std::move(error);
  failure.answers = true;
  failure.visible_us = core_.now_us();
  failure.fault = fault;
  fail_ranks(job, std::move(failure));
}

bool World::exhaust_memory(std::uint32_t number) {
  if (faults_[number].head) {
    return head_down(number);
  }
  const FaultRecord fault = faults_[number];
  Job* job = job_on(fault);
  if (job == nullptr) {
    return false;
  }
  fire(number);
  RankFailure failure;
  failure.ranks = ranks_on(*job, machines_.pool(*fault.pool).node(fault.node).slot);
  failure.kind = policies::WorkerFailure::kOutOfMemory;
  failure.exit_code = 137;  // as a shell reports a process that SIGKILL ended
  failure.fault = number;
  show_process_failure(fault, failure);
  fail_ranks(*job, std::move(failure));
  return true;
}

bool World::fill_disk(std::uint32_t number) {
  if (faults_[number].head) {
    return head_down(number);
  }
  const FaultRecord fault = faults_[number];
  if (!fault.pool || !machines_.pool(*fault.pool).node(fault.node).present ||
      machines_.pool(*fault.pool).node(fault.node).full_disk) {
    return false;
  }
  fire(number);
  machines_.pool(*fault.pool).update(fault.node, core_.now_us(), [number](Node& node) {
    node.full_disk = number;
  });
  if (const auto lasts_us = draw_lasts(core_.scenario(), fault)) {
    core_.schedule(EntryKind::kDiskFreed, core_.now_us() + *lasts_us,
                   {.entity = fault.node,
                    .epoch = machines_.pool(*fault.pool).node(fault.node).epoch,
                    .arg = *fault.pool});
  }
  return true;
}

bool World::interrupt(std::uint32_t number) {
  const Target& target = core_.scenario().faults[faults_[number].spec].target;
  const std::uint32_t times = effect_of(faults_[number]).times;
  if (target.kind == TargetKind::kExperiment) {
    const Experiment& experiment = experiments_[target.experiment];
    if (!experiment.driver_up || experiment.ended) {
      return false;
    }
    faults_.detect(number);
    fire(number);
    press(number, static_cast<std::uint32_t>(experiment.driver_run), times);
    return true;
  }
  Job& job = jobs_[*faults_[number].job];
  if (!job.ledger || job.stage == Stage::kEnded || !job.driver_up) {
    return false;
  }
  faults_.detect(number);
  fire(number);
  if (!job.aborting) {
    job.interrupt = number;
    // Where something else had broken the attempt, that is what its work was lost to.
    if (has_processes(job) && !job.broken && !starting(job)) {
      job.lost_cause = Cause::fault(number);
    }
    open_recovery(job, number, core_.now_us()).detected_us = core_.now_us();
  }
  press(number, static_cast<std::uint32_t>(job.driver_run), times);
  return true;
}

// Ctrl-C reaches the process of a driver, which counts; when that is gone, it reaches nobody.
void World::press(std::uint32_t number, std::uint32_t driver_run, std::uint32_t left) {
  DriverRun& run = driver_runs_[driver_run];
  if (run.ended_us) {
    return;
  }
  const policies::StopRequested stop{.job = run.job, .nth = ++run.presses};
  if (run.job < jobs_.size()) {
    if (run.presses == 1) {
      expect_end(jobs_[run.job]);
    }
    notify(jobs_[run.job], stop);
  } else {
    notify(experiments_[run.job - jobs_.size()], stop, static_cast<std::int32_t>(number));
  }
  if (left > 1) {
    core_.schedule(EntryKind::kPressed, core_.now_us() + effect_of(faults_[number]).apart_us,
                   {.entity = left - 1, .epoch = driver_run, .arg = number});
  }
}

bool World::tear_snapshot(std::uint32_t number) {
  const Target& target = core_.scenario().faults[faults_[number].spec].target;
  const std::string& file = effect_of(faults_[number]).file;
  if (target.kind == TargetKind::kExperiment) {
    Experiment& experiment = experiments_[target.experiment];
    if (experiment.drivers == 0) {
      return false;
    }
    fire(number);
    experiment.torn = {file, core_.now_us()};
    tear_stored(experiment.run_key, experiment.driver_run, file);
    return true;
  }
  Job& job = jobs_[*faults_[number].job];
  if (!job.persisted || job.run_key.empty()) {
    return false;
  }
  fire(number);
  job.torn = {file, core_.now_us()};
  job.write_stamp = core_.entries_played();
  tear_stored(job.run_key, job.driver_run, file);
  return true;
}

// Of a driver that was lost the text has been put away already.
void World::tear_stored(const std::string& key, std::size_t driver_run, const std::string& file) {
  const auto stored = stored_runs_.find(key);
  if (stored != stored_runs_.end() && driver_runs_[driver_run].ended_by) {
    stored->second.durable = torn(std::move(stored->second.durable), file);
    stored->second.torn = file;
  }
}

bool World::arm_upload_fault(std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  Job& job = jobs_[*fault.job];
  if (!spec(job).checkpoint || job.stage == Stage::kEnded) {
    return false;
  }
  fire(number);
  job.upload_errors.push_back({.fault = number,
                               .rank = fault.rank,
                               .times = effect_of(fault).times,
                               .error = effect_of(fault).error});
  return true;
}

bool World::arm_report_fault(std::uint32_t number) {
  const FaultRecord& fault = faults_[number];
  Job& job = jobs_[*fault.job];
  if (!spec(job).checkpoint || job.stage == Stage::kEnded || job.workers < 2) {
    return false;
  }
  fire(number);
  job.divergent = ArmedFault{.fault = number, .rank = fault.rank, .times = 1, .error = {}};
  return true;
}

bool World::break_hook(std::uint32_t number) {
  Job& job = jobs_[*faults_[number].job];
  if (!job.ledger || job.stage == Stage::kEnded || !job.driver_up) {
    return false;
  }
  fire(number);
  if (effect_of(faults_[number]).in_shutdown) {
    job.shutdown_error = number;
    return true;
  }
  faults_.detect(number);
  job.interrupt = number;
  job.lost_cause = Cause::fault(number);
  notify(job,
         policies::ControllerError{.job = job.index, .error = effect_of(faults_[number]).error});
  return true;
}

bool World::delete_checkpoint(std::uint32_t number) {
  Job& job = jobs_[*faults_[number].job];
  Checkpoint* newest = find_checkpoint(job, job.committed);
  if (newest == nullptr || newest->deleted_by || job.stage == Stage::kEnded) {
    return false;
  }
  fire(number);
  newest->deleted_by = number;
  return true;
}

bool World::spoil_snapshot(std::uint32_t number) {
  Job& job = jobs_[*faults_[number].job];
  if (!spec(job).checkpoint || job.stage == Stage::kEnded || job.spoilt_snapshot) {
    return false;
  }
  fire(number);
  job.spoilt_snapshot = number;
  return true;
}

bool World::unshare_storage(std::uint32_t number) {
  Job& job = jobs_[*faults_[number].job];
  if (job.stage == Stage::kEnded || job.unshared) {
    return false;
  }
  fire(number);
  job.unshared = number;
  return true;
}

// One rank names another directory than the rest.
void World::diverge(Job& job, policies::CheckpointReported& reported) {
  const ArmedFault armed = *std::exchange(job.divergent, std::nullopt);
  faults_.detect(armed.fault);
  job.lost_cause = reports::Cause::fault(armed.fault);
  job.interrupt = armed.fault;
  policies::CheckpointReported other = reported;
  other.checkpoint = job.next_checkpoint++;
  other.ranks = policies::RankSet::range(armed.rank, armed.rank + 1);
  policies::RankSet rest;
  rest.add(0, armed.rank);
  rest.add(armed.rank + 1, job.workers);
  reported.ranks = std::move(rest);
  job.pending.emplace_back(std::move(other));
}

void World::persist(Job& job, const policies::Persist& command) {
  if (const auto fault = std::exchange(job.spoilt_snapshot, std::nullopt)) {
    faults_.detect(*fault);
    job.interrupt = *fault;
    job.lost_cause = Cause::fault(*fault);
    refuse(job, command.id, policies::CommandError::kUnreachable);
    return;
  }
  checker_.persisted(job);
  job.persisted = true;
  job.write_stamp = core_.entries_played();
  if (job.torn.name == "snapshot") {
    job.torn = {};
  }
}

void World::discard(Job& job, const policies::DeleteCheckpoints& command) {
  bool gone = false;
  for (const policies::CheckpointId id : command.checkpoints) {
    if (const Checkpoint* checkpoint = find_checkpoint(job, id);
        checkpoint != nullptr && checkpoint->deleted_by) {
      faults_.detect(*checkpoint->deleted_by);
      gone = true;
    }
    drop_checkpoint(job, id);
  }
  if (gone) {
    refuse(job, command.id, policies::CommandError::kUnknownTarget);
  }
}

}  // namespace aftershock::sim
