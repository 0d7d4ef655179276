#include "sim/world/training.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/checkpoint_faults.h"
#include "sim/world/controlling.h"
#include "sim/world/devices.h"
#include "sim/world/machine_faults.h"
#include "sim/world/network_faults.h"
#include "sim/world/phases.h"
#include "sim/world/starting.h"
#include "sim/world/world.h"

// Steps and checkpoints.
namespace aftershock::sim::world {

namespace {

void begin_checkpoint(World& world, workload::Job& job);
void end_training(World& world, workload::Job& job);

using reports::Cause;
using reports::Entity;
using reports::EntityKind;

// The work at which the script returns; none: it trains until the horizon.
std::optional<std::int64_t> last_work(const World& world, const workload::Job& job) {
  const auto all_us = workload::last_work_us(spec(world, job), job.training.began_us);
  const auto& leaves_us = job.training.leaves_at_us;
  return all_us && leaves_us ? std::min(all_us, leaves_us) : leaves_us ? leaves_us : all_us;
}

}  // namespace

void return_on_notice(World& world, workload::Job& job) {
  if (!spec(world, job).script.returns_on_notice || job.broken || job.training.leaves_at_us) {
    return;
  }
  // One that has not begun to train yet looks before its first step.
  const bool trains =
      job.stage == workload::Stage::kTraining || job.stage == workload::Stage::kSnapshot ||
      job.stage == workload::Stage::kWaitUpload || job.stage == workload::Stage::kWaitReport;
  if (!trains) {
    return;
  }
  const bool in_step = job.stage == workload::Stage::kTraining;
  if (in_step) {
    close_segment(world, job);
  }
  const std::int64_t step_us = spec(world, job).step_us;
  job.training.leaves_at_us = (job.training.work_us + step_us - 1) / step_us * step_us;
  if (in_step && job.training.work_us >= *job.training.leaves_at_us) {
    segment_over(world, job);
  } else if (in_step) {
    open_segment(world, job);
  }
}

void begin_training(World& world, workload::Job& job) {
  job.training.leaves_at_us.reset();
  if (spec(world, job).script.returns_on_notice && job.pool_watch.draining) {
    job.training.leaves_at_us = job.training.work_us;
  }
  if (spec(world, job).run.sync_artifacts) {
    workload::begin_writing(job.saved.artifacts, world.now_us());
  }
  job.training.anchor_work_us = job.training.work_us;
  job.training.work_remainder = 0;
  workload::note_running(job, world.now_us());
  job.start_cause = Cause::policy();
  // Catching up runs beside training and is only looked at by triggers.
  if (world.faults.has_triggers() && job.training.work_us < job.training.high_water_us) {
    job.training.catching_up = true;
    enter_instance(world, job, scenario::Phase::kCatchingUp);
  }
  go_on_after_checkpoint(world, job);
  if (job.stage == workload::Stage::kTraining) {
    use_devices(world, job, DeviceUse::kCompute);
  }
}

void go_on_after_checkpoint(World& world, workload::Job& job) {
  const auto total_us = last_work(world, job);
  if (total_us && job.training.work_us >= *total_us) {
    end_training(world, job);
  } else {
    open_segment(world, job);
  }
}

void open_segment(World& world, workload::Job& job) {
  if (world.ailments.any_slow() || job.training.slow_ppm != workload::kAsFast) {
    set_pace(world, job);
  }
  set_phase(world, job, scenario::Phase::kTraining, Cause::policy());
  job.training.segment_begin_us = world.now_us();
  auto target_us = last_work(world, job);
  // A straggler does not move saves: they come after the same work, and so later.
  if (const auto due_us = workload::next_checkpoint_work_us(
          spec(world, job), healthy_pace(world, job), job.training.anchor_work_us)) {
    target_us = target_us ? std::min(*target_us, *due_us) : *due_us;
  }
  enter_stage(world, job, workload::Stage::kTraining,
              target_us ? std::optional(workload::time_for(pace(world, job),
                                                           *target_us - job.training.work_us,
                                                           job.training.work_remainder))
                        : std::nullopt);
  for (std::uint32_t i = 0; i < world.scenario().faults.size(); ++i) {
    const scenario::FaultSpec& fault = world.scenario().faults[i];
    if (!fault.at_step || fault.step_job != job.index || world.faults.spent(i)) {
      continue;
    }
    const std::int64_t at_us = *fault.at_step * spec(world, job).step_us;
    // A step beyond the segment is planned with the segment in which it lies: only then is its time
    // known.
    if (at_us > job.training.work_us && (!target_us || at_us <= *target_us)) {
      world.core.schedule(
          core::EntryKind::kStepReached,
          world.now_us() + workload::time_for(pace(world, job), at_us - job.training.work_us,
                                              job.training.work_remainder),
          {.entity = i, .epoch = job.epoch, .arg = at_us});
    }
  }
  if (job.training.catching_up) {
    const std::int64_t caught_up_us =
        world.now_us() + workload::time_for(pace(world, job),
                                            job.training.high_water_us - job.training.work_us,
                                            job.training.work_remainder);
    if (!job.stage_end_us || caught_up_us <= *job.stage_end_us) {
      world.core.schedule(core::EntryKind::kCaughtUp, caught_up_us,
                          {.entity = job.index, .epoch = job.stage_epoch});
    }
  }
}

void close_segment(World& world, workload::Job& job) {
  AFTERSHOCK_ASSERT(job.stage == workload::Stage::kTraining);
  const workload::Advance done =
      workload::advance(pace(world, job), world.now_us() - job.training.segment_begin_us,
                        job.training.work_remainder);
  // Reckoned from where the segment began, so before its work is added.
  workload::note_caught_up(job, job.training.work_us + done.work_us, pace(world, job));
  job.training.work_us += done.work_us;
  job.training.work_remainder = done.remainder;
  job.training.high_water_us = std::max(job.training.high_water_us, job.training.work_us);
  if (job.training.slow_ppm != workload::kAsFast) {
    account(world, job, world.now_us() - job.training.segment_begin_us, done.work_us);
  }
  job.training.segment_begin_us = world.now_us();
  world.core.recorder().counter(world.now_us(), {EntityKind::kJob, job.index}, "steps",
                                job.training.work_us / spec(world, job).step_us);
}

std::int64_t work_now(const World& world, const workload::Job& job) {
  if (job.stage != workload::Stage::kTraining || job.broken) {
    return job.training.work_us;
  }
  return job.training.work_us + workload::advance(pace(world, job),
                                                  world.now_us() - job.training.segment_begin_us,
                                                  job.training.work_remainder)
                                    .work_us;
}

void segment_over(World& world, workload::Job& job) {
  close_segment(world, job);
  const auto due_us = workload::next_checkpoint_work_us(spec(world, job), healthy_pace(world, job),
                                                        job.training.anchor_work_us);
  const auto total_us = last_work(world, job);
  const bool done = total_us && job.training.work_us >= *total_us;
  const bool uncovered = job.training.work_us > job.training.anchor_work_us;
  if ((due_us && job.training.work_us >= *due_us) ||
      (done && due_us && spec(world, job).checkpoint->at_end && uncovered)) {
    begin_checkpoint(world, job);
  } else {
    go_on_after_checkpoint(world, job);
  }
}

void drop_checkpoint(workload::Job& job, std::uint32_t id) {
  if (const workload::Checkpoint* found = workload::find_checkpoint(job, id)) {
    job.saved.uncommitted -= found->state != workload::CheckpointState::kCommitted ? 1U : 0U;
    job.saved.checkpoints.erase(job.saved.checkpoints.begin() +
                                (found - job.saved.checkpoints.data()));
  }
}

namespace {

void begin_checkpoint(World& world, workload::Job& job) {
  job.training.anchor_work_us = job.training.work_us;
  // It holds the work of this moment, however long it waits for the upload before it.
  job.saved.checkpoints.push_back({.id = job.saved.next_checkpoint++,
                                   .epoch = job.epoch,
                                   .state = workload::CheckpointState::kSnapshot,
                                   .work_us = job.training.work_us,
                                   .productive_us = job.ledger->productive_us(world.now_us())});
  ++job.saved.uncommitted;
  if (workload::upload_busy(job)) {
    // One upload at a time: the save waits for the one before it.
    set_phase(world, job, scenario::Phase::kCheckpointing,
              job.armed.held_by ? Cause::fault(*job.armed.held_by) : Cause::checkpoint());
    enter_stage(world, job, workload::Stage::kWaitUpload, std::nullopt);
    return;
  }
  begin_snapshot(world, job);
}

}  // namespace

void begin_snapshot(World& world, workload::Job& job) {
  const std::int64_t blocking_us = spec(world, job).checkpoint->blocking_us;
  if (blocking_us > 0) {
    set_phase(world, job, scenario::Phase::kCheckpointing, Cause::checkpoint());
    enter_stage(world, job, workload::Stage::kSnapshot, blocking_us);
  } else {
    snapshot_over(world, job);
  }
}

void snapshot_over(World& world, workload::Job& job) {
  workload::Checkpoint& checkpoint = job.saved.checkpoints.back();
  checkpoint.named_us = world.now_us();
  if (upload_fails(world, job, checkpoint)) {
    return;
  }
  const bool at_once = !spec(world, job).run.storage || spec(world, job).checkpoint->bytes == 0;
  if (spec(world, job).checkpoint->async_upload) {
    // Kept by number: training that goes on may save again, and the list then moves.
    const std::uint32_t id = checkpoint.id;
    if (!at_once) {
      begin_upload(world, job, checkpoint);
    }
    go_on_after_checkpoint(world, job);
    if (at_once) {
      report(world, job, id);
    }
    return;
  }
  set_phase(world, job, scenario::Phase::kCheckpointing, Cause::checkpoint());
  enter_stage(world, job, workload::Stage::kWaitUpload, std::nullopt);
  if (at_once) {
    report(world, job, checkpoint.id);
  } else {
    begin_upload(world, job, checkpoint);
  }
}

void begin_upload(World& world, workload::Job& job, workload::Checkpoint& checkpoint) {
  const scenario::JobSpec& job_spec = spec(world, job);
  checkpoint.state = workload::CheckpointState::kUploading;
  job.saved.uploading = checkpoint.id;
  if (const auto fault = storage_blocked(world, job)) {
    hold_transfer(world, job, *fault);
    return;
  }
  job.saved.upload =
      world.network.write(world.core, *job_spec.run.storage,
                          {.bytes = job_spec.checkpoint->bytes,
                           .weight = static_cast<std::uint32_t>(job.placement.slots.size()),
                           .bound_bytes_per_s = job.saved.link_bound_bytes_per_s,
                           .entity = job.index});
  job.saved.upload_span =
      world.core.recorder().begin(world.now_us(), {EntityKind::kJob, job.index}, "uploading",
                                  {{"epoch", job.epoch}, {"checkpoint", checkpoint.id}});
  enter_instance(world, job, scenario::Phase::kUploading);
}

void upload_over(World& world, workload::Job& job) {
  job.saved.upload = 0;
  world.core.recorder().end(world.now_us(), job.saved.upload_span);
  leave_instance(world, job, scenario::Phase::kUploading);
  report(world, job, std::exchange(job.saved.uploading, 0));
}

void report(World& world, workload::Job& job, std::uint32_t id) {
  if (torn_on_its_way(world, job, id)) {
    return;
  }
  world.checker.durable(job, *workload::find_checkpoint(job, id));
  if (!job.control.host.info().commits_checkpoints) {
    count_checkpoint(world, job, *workload::find_checkpoint(job, id));
    drop_old_checkpoints(world, job);
    go_on_after_report(world, job);
    return;
  }
  workload::find_checkpoint(job, id)->state = workload::CheckpointState::kReported;
  if (job.detection.report_slot != 0) {
    // The controller takes one report a rank and poll (ray.md 1.8): this one waits behind the
    // other.
    job.detection.report_waiting = id;
    if (job.stage == workload::Stage::kWaitUpload && !spec(world, job).checkpoint->async_upload) {
      enter_stage(world, job, workload::Stage::kWaitReport, std::nullopt);
    }
    return;
  }
  job.detection.report_slot = id;
  job.detection.report_visible_us = world.now_us();
  job.saved.commit_span =
      world.core.recorder().begin(world.now_us(), {EntityKind::kJob, job.index}, "committing",
                                  {{"epoch", job.epoch}, {"checkpoint", id}});
  enter_instance(world, job, scenario::Phase::kCommitting);
  plan_poll(world, job);
  go_on_after_report(world, job);
}

// A script that counts its checkpoints itself keeps the newest ones.
void drop_old_checkpoints(World& world, workload::Job& job) {
  const std::uint32_t kept = spec(world, job).checkpoint->keep.value_or(1);
  while (job.saved.checkpoints.size() - job.saved.uncommitted > kept) {
    const auto oldest = std::ranges::find(
        job.saved.checkpoints, workload::CheckpointState::kCommitted, &workload::Checkpoint::state);
    job.saved.checkpoints.erase(oldest);
  }
}

// From now on this is what the job goes on from.
void count_checkpoint(World& world, workload::Job& job, workload::Checkpoint& checkpoint) {
  world.checker.committed(job, checkpoint);
  checkpoint.state = workload::CheckpointState::kCommitted;
  --job.saved.uncommitted;
  job.saved.committed = checkpoint.id;
  job.saved.committed_work_us = checkpoint.work_us;
  ++job.saved.committed_count;
  world.core.recorder().counter(world.now_us(), {EntityKind::kJob, job.index}, "committed_steps",
                                checkpoint.work_us / spec(world, job).step_us);
  if (job.detection.progress == job.epoch) {
    job.detection.progress.reset();
    notify(world, job,
           policies::CheckpointDurable{
               .job = job.index, .epoch = job.epoch, .checkpoint = checkpoint.id});
  }
}

void go_on_after_report(World& world, workload::Job& job) {
  if (job.broken) {
    return;
  }
  if (job.stage == workload::Stage::kWaitUpload) {
    if (!job.saved.checkpoints.empty() &&
        job.saved.checkpoints.back().state == workload::CheckpointState::kSnapshot) {
      begin_snapshot(world, job);
    } else {
      go_on_after_checkpoint(world, job);
    }
  } else if (job.stage == workload::Stage::kWaitReport) {
    go_on_after_checkpoint(world, job);
  } else if (job.stage == workload::Stage::kFinalizing && !job.stage_end_us) {
    returned(world, job);
  }
}

void report_taken(World& world, workload::Job& job) {
  world.core.recorder().end(world.now_us(), job.saved.commit_span);
  leave_instance(world, job, scenario::Phase::kCommitting);
  job.detection.report_slot = 0;
  if (job.detection.report_waiting != 0) {
    const std::uint32_t next = job.detection.report_waiting;
    job.detection.report_waiting = 0;
    report(world, job, next);
    job.detection.report_visible_us = world.now_us() + 1;  // this poll has taken its one report
  }
  if (job.stage == workload::Stage::kReturned && !job.detection.returned_visible_us &&
      job.detection.report_slot == 0) {
    job.detection.returned_visible_us = world.now_us() + 1;
  }
}

namespace {

void end_training(World& world, workload::Job& job) {
  // From here on the job can be completed: a policy that says so before is refused.
  job.training.ending = true;
  set_phase(world, job, scenario::Phase::kFinalizing, Cause::policy());
  enter_stage(world, job, workload::Stage::kFinalizing,
              draw_phase(world, job, lengths(world, job).finalizing, chance::Purpose::kFinalizing));
}

}  // namespace

void returned(World& world, workload::Job& job) {
  if (workload::upload_busy(job)) {
    enter_stage(world, job, workload::Stage::kFinalizing, std::nullopt);
    return;
  }
  enter_stage(world, job, workload::Stage::kReturned, std::nullopt);
  // A rank whose report has not been taken yet still counts as running (ray.md 1.5).
  if (job.detection.report_slot == 0) {
    job.detection.returned_visible_us = world.now_us();
    plan_poll(world, job);
  }
}

}  // namespace aftershock::sim::world
