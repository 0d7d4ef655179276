#include <algorithm>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/controlling.h"
#include "sim/world/drivers.h"
#include "sim/world/experiments.h"
#include "sim/world/failure.h"
#include "sim/world/injection.h"
#include "sim/world/names.h"
#include "sim/world/refusal.h"
#include "sim/world/training.h"
#include "sim/world/trial_faults.h"
#include "sim/world/trial_transfers.h"
#include "sim/world/world.h"

// Faults of drivers, snapshots, uploads and reports rather than of nodes.
namespace aftershock::sim::world {

namespace {

void tear_stored(World& world, const std::string& key, std::size_t driver_run,
                 const std::string& file);

using reports::Cause;

}  // namespace

// User code of these ranks raises; their processes live and answer.
void raise_in(World& world, workload::Job& job, policies::RankSet ranks, std::uint32_t fault,
              std::string error) {
  detection::RankFailure failure;
  failure.ranks = std::move(ranks);
  failure.kind = policies::WorkerFailure::kException;
  failure.error = std::move(error);
  failure.answers = true;
  failure.visible_us = world.now_us();
  failure.fault = fault;
  fail_ranks(world, job, std::move(failure));
}

bool exhaust_memory(World& world, std::uint32_t number) {
  if (world.faults[number].head) {
    return head_down(world, number);
  }
  const faults::FaultRecord fault = world.faults[number];
  workload::Job* job = job_on(world, fault);
  if (job == nullptr) {
    return exhaust_memory_of_trials(world, number);
  }
  fire(world, number);
  detection::RankFailure failure;
  // Memory is the node's: whoever runs there goes.
  failure.ranks = ranks_on(world, *job, world.machines.pool(*fault.pool).node(fault.node).slot);
  failure.kind = policies::WorkerFailure::kOutOfMemory;
  failure.exit_code = 137;  // as a shell reports a process that SIGKILL ended
  failure.fault = number;
  show_process_failure(world, fault, failure);
  fail_ranks(world, *job, std::move(failure));
  return true;
}

bool fill_disk(World& world, std::uint32_t number) {
  if (world.faults[number].head) {
    return head_down(world, number);
  }
  const faults::FaultRecord fault = world.faults[number];
  if (!fault.pool || !world.machines.pool(*fault.pool).node(fault.node).present ||
      world.machines.pool(*fault.pool).node(fault.node).full_disk) {
    return false;
  }
  fire(world, number);
  // Nothing fails at once: the next save from this node does (upload_fails()).
  world.machines.pool(*fault.pool)
      .update(fault.node, world.now_us(),
              [number](machines::Node& node) { node.full_disk = number; });
  part_saves(world, *fault.pool, fault.node);
  if (const auto lasts_us = faults::draw_lasts(world.scenario(), fault)) {
    world.core.schedule(core::EntryKind::kDiskFreed, world.now_us() + *lasts_us,
                        {.entity = fault.node,
                         .epoch = world.machines.pool(*fault.pool).node(fault.node).epoch,
                         .arg = *fault.pool});
  }
  return true;
}

bool interrupt(World& world, std::uint32_t number) {
  const scenario::Target& target = world.scenario().faults[world.faults[number].spec].target;
  const std::uint32_t times = faults::effect_of(world.scenario(), world.faults[number]).times;
  if (target.kind == scenario::TargetKind::kExperiment) {
    const workload::Experiment& experiment = world.experiments[target.experiment];
    if (!experiment.control.driver_up || experiment.ended) {
      return false;
    }
    world.faults.detect(number);
    fire(world, number);
    press(world, number, static_cast<std::uint32_t>(experiment.control.driver_run), times);
    return true;
  }
  workload::Job& job = world.jobs[*world.faults[number].job];
  if (!job.ledger || job.stage == workload::Stage::kEnded || !job.control.driver_up) {
    return false;
  }
  world.faults.detect(number);
  fire(world, number);
  if (!job.aborting) {
    job.armed.interrupt = number;
    // Where something else had broken the attempt, that is what its work was lost to.
    if (workload::has_processes(job) && !job.broken && !workload::starting(job)) {
      job.lost_cause = Cause::fault(number);
    }
    workload::open_recovery(job, number, world.now_us()).detected_us = world.now_us();
  }
  press(world, number, static_cast<std::uint32_t>(job.control.driver_run), times);
  return true;
}

// Ctrl-C reaches the process of a driver, which counts; when that is gone, it reaches nobody.
void press(World& world, std::uint32_t number, std::uint32_t driver_run, std::uint32_t left) {
  drivers::DriverRun& run = world.driver_runs[driver_run];
  if (run.ended_us) {
    return;
  }
  // The policy counts: Ray's aborts at the first, does nothing at the second and ends at the third
  // (ray.md 1.9).
  const policies::StopRequested stop{.job = run.job, .nth = ++run.presses};
  if (workload::Job* job = job_of(world, run.job); job != nullptr) {
    if (run.presses == 1) {
      expect_end(world, *job);
    }
    notify(world, *job, stop);
  } else {
    notify(world, *experiment_of(world, run.job), stop, static_cast<std::int32_t>(number));
  }
  if (left > 1) {
    world.core.schedule(
        core::EntryKind::kPressed,
        world.now_us() + faults::effect_of(world.scenario(), world.faults[number]).apart_us,
        {.entity = left - 1, .epoch = driver_run, .arg = number});
  }
}

bool tear_snapshot(World& world, std::uint32_t number) {
  const scenario::Target& target = world.scenario().faults[world.faults[number].spec].target;
  const std::string& file = faults::effect_of(world.scenario(), world.faults[number]).file;
  if (target.kind == scenario::TargetKind::kExperiment) {
    workload::Experiment& experiment = world.experiments[target.experiment];
    if (experiment.control.drivers == 0) {
      return false;
    }
    fire(world, number);
    experiment.control.torn = {file, world.now_us()};
    tear_stored(world, experiment.control.run_key, experiment.control.driver_run, file);
    return true;
  }
  workload::Job& job = world.jobs[*world.faults[number].job];
  // Without a snapshot in a place that somebody finds again nothing can be torn.
  if (!job.stored.persisted || job.control.run_key.empty()) {
    return false;
  }
  fire(world, number);
  job.control.torn = {file, world.now_us()};
  job.stored.write_stamp = world.core.entries_played();
  tear_stored(world, job.control.run_key, job.control.driver_run, file);
  return true;
}

namespace {

// Of a driver that was lost the text has been put away already.
void tear_stored(World& world, const std::string& key, std::size_t driver_run,
                 const std::string& file) {
  if (world.driver_runs[driver_run].ended_by) {
    world.stored_runs.tear(key, file);
  }
}

}  // namespace

bool arm_upload_fault(World& world, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  workload::Job& job = world.jobs[*fault.job];
  if (!spec(world, job).checkpoint || job.stage == workload::Stage::kEnded) {
    return false;
  }
  fire(world, number);
  job.armed.upload_errors.push_back({.fault = number,
                                     .rank = fault.rank,
                                     .times = faults::effect_of(world.scenario(), fault).times,
                                     .error = faults::effect_of(world.scenario(), fault).error});
  return true;
}

bool arm_report_fault(World& world, std::uint32_t number) {
  const faults::FaultRecord& fault = world.faults[number];
  workload::Job& job = world.jobs[*fault.job];
  // One rank alone cannot differ from the rest.
  if (!spec(world, job).checkpoint || job.stage == workload::Stage::kEnded || job.workers < 2) {
    return false;
  }
  fire(world, number);
  job.armed.divergent =
      workload::ArmedFault{.fault = number, .rank = fault.rank, .times = 1, .error = {}};
  return true;
}

bool break_hook(World& world, std::uint32_t number) {
  workload::Job& job = world.jobs[*world.faults[number].job];
  if (!job.ledger || job.stage == workload::Stage::kEnded || !job.control.driver_up) {
    return false;
  }
  fire(world, number);
  // Hooks of a shutdown run with the next one; all others raise in the controller (ray.md 1.3).
  if (faults::effect_of(world.scenario(), world.faults[number]).in_shutdown) {
    job.armed.shutdown_error = number;
    return true;
  }
  world.faults.detect(number);
  job.armed.interrupt = number;
  job.lost_cause = Cause::fault(number);
  notify(world, job,
         policies::ControllerError{
             .job = job.index,
             .error = faults::effect_of(world.scenario(), world.faults[number]).error});
  return true;
}

bool delete_checkpoint(World& world, std::uint32_t number) {
  workload::Job& job = world.jobs[*world.faults[number].job];
  workload::Checkpoint* newest = workload::find_checkpoint(job, job.saved.committed);
  if (newest == nullptr || newest->deleted_by || job.stage == workload::Stage::kEnded) {
    return false;
  }
  fire(world, number);
  newest->deleted_by = number;
  return true;
}

bool spoil_snapshot(World& world, std::uint32_t number) {
  workload::Job& job = world.jobs[*world.faults[number].job];
  if (!spec(world, job).checkpoint || job.stage == workload::Stage::kEnded ||
      job.armed.spoilt_snapshot) {
    return false;
  }
  fire(world, number);
  job.armed.spoilt_snapshot = number;
  return true;
}

bool unshare_storage(World& world, std::uint32_t number) {
  workload::Job& job = world.jobs[*world.faults[number].job];
  if (job.stage == workload::Stage::kEnded || job.armed.unshared) {
    return false;
  }
  fire(world, number);
  job.armed.unshared = number;
  return true;
}

// One rank names another directory than the rest.
void diverge(World& world, workload::Job& job, policies::CheckpointReported& reported) {
  const workload::ArmedFault armed = *std::exchange(job.armed.divergent, std::nullopt);
  world.faults.detect(armed.fault);
  job.lost_cause = reports::Cause::fault(armed.fault);
  job.armed.interrupt = armed.fault;
  policies::CheckpointReported other = reported;
  // Another directory is another checkpoint to the controller, which raises at that (ray.md 1.3).
  other.checkpoint = job.saved.next_checkpoint++;
  other.ranks = policies::RankSet::range(armed.rank, armed.rank + 1);
  reported.ranks = reported.ranks.without(other.ranks);
  job.control.pending.emplace_back(std::move(other));
}

void persist(World& world, workload::Job& job, const policies::Persist& command) {
  if (const auto fault = std::exchange(job.armed.spoilt_snapshot, std::nullopt)) {
    world.faults.detect(*fault);
    job.armed.interrupt = *fault;
    job.lost_cause = Cause::fault(*fault);
    refuse(world, job, command.id, policies::CommandError::kUnreachable);
    return;
  }
  world.checker.persisted(job);
  job.stored.persisted = true;
  job.stored.write_stamp = world.core.entries_played();
  if (job.control.torn.name == "snapshot") {
    job.control.torn = {};
  }
}

void discard(World& world, workload::Job& job, const policies::DeleteCheckpoints& command) {
  bool gone = false;
  for (const policies::CheckpointId id : command.checkpoints) {
    if (const workload::Checkpoint* checkpoint = workload::find_checkpoint(job, id);
        checkpoint != nullptr && checkpoint->deleted_by) {
      world.faults.detect(*checkpoint->deleted_by);
      gone = true;
    }
    drop_checkpoint(job, id);
  }
  // Nobody looked before: it is the deletion that finds the directory gone.
  if (gone) {
    refuse(world, job, command.id, policies::CommandError::kUnknownTarget);
  }
}

}  // namespace aftershock::sim::world
