#include <algorithm>
#include <utility>

#include "policies/api/assert.h"
#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/machine_trouble.h"
#include "sim/world/network_trouble.h"
#include "sim/world/world.h"

// Steps and checkpoints.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::Entity;
using reports::EntityKind;

}  // namespace

void World::begin_training(Job& job) {
  if (spec(job).run.sync_artifacts) {
    begin_writing(job.artifacts, core_.now_us());
  }
  job.anchor_work_us = job.work_us;
  job.work_remainder = 0;
  note_running(job, core_.now_us());
  job.start_cause = Cause::policy();
  if (faults_.has_triggers() && job.work_us < job.high_water_us) {
    job.catching_up = true;
    enter_instance(job, Phase::kCatchingUp);
  }
  go_on_after_checkpoint(job);
}

void World::go_on_after_checkpoint(Job& job) {
  const auto total_us = total_work_us(spec(job));
  if (total_us && job.work_us >= *total_us) {
    end_training(job);
  } else {
    open_segment(job);
  }
}

void World::open_segment(Job& job) {
  if (ailments_.any_slow() || job.slow_ppm != kAsFast) {
    MachineTrouble(*this).set_pace(job);
  }
  set_phase(job, Phase::kTraining, Cause::policy());
  job.segment_begin_us = core_.now_us();
  auto target_us = total_work_us(spec(job));
  if (const auto due_us =
          next_checkpoint_work_us(spec(job), healthy_pace(job), job.anchor_work_us)) {
    target_us = target_us ? std::min(*target_us, *due_us) : *due_us;
  }
  enter_stage(job, Stage::kTraining,
              target_us
                  ? std::optional(time_for(pace(job), *target_us - job.work_us, job.work_remainder))
                  : std::nullopt);
  for (std::uint32_t i = 0; i < core_.scenario().faults.size(); ++i) {
    const FaultSpec& fault = core_.scenario().faults[i];
    if (!fault.at_step || fault.step_job != job.index || faults_.spent(i)) {
      continue;
    }
    const std::int64_t at_us = *fault.at_step * spec(job).step_us;
    if (at_us > job.work_us && (!target_us || at_us <= *target_us)) {
      core_.schedule(EntryKind::kStepReached,
                     core_.now_us() + time_for(pace(job), at_us - job.work_us, job.work_remainder),
                     {.entity = i, .epoch = job.epoch, .arg = at_us});
    }
  }
  if (job.catching_up) {
    const std::int64_t caught_up_us =
        core_.now_us() + time_for(pace(job), job.high_water_us - job.work_us, job.work_remainder);
    if (!job.stage_end_us || caught_up_us <= *job.stage_end_us) {
      core_.schedule(EntryKind::kCaughtUp, caught_up_us,
                     {.entity = job.index, .epoch = job.stage_epoch});
    }
  }
}

void World::close_segment(Job& job) {
  AFTERSHOCK_ASSERT(job.stage == Stage::kTraining);
  const Advance done =
      advance(pace(job), core_.now_us() - job.segment_begin_us, job.work_remainder);
  note_caught_up(job, job.work_us + done.work_us, pace(job));
  job.work_us += done.work_us;
  job.work_remainder = done.remainder;
  job.high_water_us = std::max(job.high_water_us, job.work_us);
  if (job.slow_ppm != kAsFast) {
    MachineTrouble(*this).account(job, core_.now_us() - job.segment_begin_us);
  }
  job.segment_begin_us = core_.now_us();
  core_.recorder().counter(core_.now_us(), {EntityKind::kJob, job.index}, "steps",
                           job.work_us / spec(job).step_us);
}

std::int64_t World::work_now(const Job& job) const {
  if (job.stage != Stage::kTraining || job.broken) {
    return job.work_us;
  }
  return job.work_us +
         advance(pace(job), core_.now_us() - job.segment_begin_us, job.work_remainder).work_us;
}

void World::segment_over(Job& job) {
  close_segment(job);
  const auto due_us = next_checkpoint_work_us(spec(job), healthy_pace(job), job.anchor_work_us);
  const auto total_us = total_work_us(spec(job));
  const bool done = total_us && job.work_us >= *total_us;
  const bool uncovered = job.work_us > job.anchor_work_us;
  if ((due_us && job.work_us >= *due_us) ||
      (done && due_us && spec(job).checkpoint->at_end && uncovered)) {
    begin_checkpoint(job);
  } else {
    go_on_after_checkpoint(job);
  }
}

void World::drop_checkpoint(Job& job, std::uint32_t id) {
  if (const Checkpoint* found = find_checkpoint(job, id)) {
    job.uncommitted -= found->state != CheckpointState::kCommitted ? 1U : 0U;
    job.checkpoints.erase(job.checkpoints.begin() + (found - job.checkpoints.data()));
  }
}

void World::begin_checkpoint(Job& job) {
  job.anchor_work_us = job.work_us;
  job.checkpoints.push_back({.id = job.next_checkpoint++,
                             .epoch = job.epoch,
                             .state = CheckpointState::kSnapshot,
                             .work_us = job.work_us,
                             .productive_us = job.ledger->productive_us(core_.now_us())});
  ++job.uncommitted;
  if (upload_busy(job)) {
    // One upload at a time: the save waits for the one before it.
    set_phase(job, Phase::kCheckpointing,
              job.held_by ? Cause::fault(*job.held_by) : Cause::checkpoint());
    enter_stage(job, Stage::kWaitUpload, std::nullopt);
    return;
  }
  begin_snapshot(job);
}

void World::begin_snapshot(Job& job) {
  const std::int64_t blocking_us = spec(job).checkpoint->blocking_us;
  if (blocking_us > 0) {
    set_phase(job, Phase::kCheckpointing, Cause::checkpoint());
    enter_stage(job, Stage::kSnapshot, blocking_us);
  } else {
    snapshot_over(job);
  }
}

void World::snapshot_over(Job& job) {
  Checkpoint& checkpoint = job.checkpoints.back();
  checkpoint.named_us = core_.now_us();
  if (upload_fails(job, checkpoint)) {
    return;
  }
  const bool at_once = !spec(job).run.storage || spec(job).checkpoint->bytes == 0;
  if (spec(job).checkpoint->async_upload) {
    const std::uint32_t id = checkpoint.id;
    if (!at_once) {
      begin_upload(job, checkpoint);
    }
    go_on_after_checkpoint(job);
    if (at_once) {
      report(job, id);
    }
    return;
  }
  set_phase(job, Phase::kCheckpointing, Cause::checkpoint());
  enter_stage(job, Stage::kWaitUpload, std::nullopt);
  if (at_once) {
    report(job, checkpoint.id);
  } else {
    begin_upload(job, checkpoint);
  }
}

void World::begin_upload(Job& job, Checkpoint& checkpoint) {
  const JobSpec& job_spec = spec(job);
  checkpoint.state = CheckpointState::kUploading;
  job.uploading = checkpoint.id;
  if (const auto fault = storage_blocked(job)) {
    NetworkTrouble(*this).hold_transfer(job, *fault);
    return;
  }
  job.upload = network_.write(core_, *job_spec.run.storage,
                              {.bytes = job_spec.checkpoint->bytes,
                               .weight = static_cast<std::uint32_t>(job.placement.slots.size()),
                               .bound_bytes_per_s = job.link_bound_bytes_per_s,
                               .entity = job.index});
  job.upload_span =
      core_.recorder().begin(core_.now_us(), {EntityKind::kJob, job.index}, "uploading",
                             {{"epoch", job.epoch}, {"checkpoint", checkpoint.id}});
  enter_instance(job, Phase::kUploading);
}

void World::upload_over(Job& job) {
  job.upload = 0;
  core_.recorder().end(core_.now_us(), job.upload_span);
  leave_instance(job, Phase::kUploading);
  report(job, std::exchange(job.uploading, 0));
}

void World::report(Job& job, std::uint32_t id) {
  if (torn_on_its_way(job, id)) {
    return;
  }
  checker_.durable(job, *find_checkpoint(job, id));
  if (!job.host.info().commits_checkpoints) {
    count_checkpoint(job, *find_checkpoint(job, id));
    drop_old_checkpoints(job);
    go_on_after_report(job);
    return;
  }
  find_checkpoint(job, id)->state = CheckpointState::kReported;
  if (job.report_slot != 0) {
    job.report_waiting = id;
    if (job.stage == Stage::kWaitUpload && !spec(job).checkpoint->async_upload) {
      enter_stage(job, Stage::kWaitReport, std::nullopt);
    }
    return;
  }
  job.report_slot = id;
  job.report_visible_us = core_.now_us();
  job.commit_span =
      core_.recorder().begin(core_.now_us(), {EntityKind::kJob, job.index}, "committing",
                             {{"epoch", job.epoch}, {"checkpoint", id}});
  enter_instance(job, Phase::kCommitting);
  plan_poll(job);
  go_on_after_report(job);
}

// A script that counts its checkpoints itself keeps the newest ones.
void World::drop_old_checkpoints(Job& job) {
  const std::uint32_t kept = spec(job).checkpoint->keep.value_or(1);
  while (job.checkpoints.size() - job.uncommitted > kept) {
    const auto oldest =
        std::ranges::find(job.checkpoints, CheckpointState::kCommitted, &Checkpoint::state);
    job.checkpoints.erase(oldest);
  }
}

// From now on this is what the job goes on from.
void World::count_checkpoint(Job& job, Checkpoint& checkpoint) {
  checker_.committed(job, checkpoint);
  checkpoint.state = CheckpointState::kCommitted;
  --job.uncommitted;
  job.committed = checkpoint.id;
  job.committed_work_us = checkpoint.work_us;
  ++job.committed_count;
  core_.recorder().counter(core_.now_us(), {EntityKind::kJob, job.index}, "committed_steps",
                           checkpoint.work_us / spec(job).step_us);
  if (job.progress == job.epoch) {
    job.progress.reset();
    notify(job, policies::CheckpointDurable{
                    .job = job.index, .epoch = job.epoch, .checkpoint = checkpoint.id});
  }
}

void World::go_on_after_report(Job& job) {
  if (job.broken) {
    return;
  }
  if (job.stage == Stage::kWaitUpload) {
    if (!job.checkpoints.empty() && job.checkpoints.back().state == CheckpointState::kSnapshot) {
      begin_snapshot(job);
    } else {
      go_on_after_checkpoint(job);
    }
  } else if (job.stage == Stage::kWaitReport) {
    go_on_after_checkpoint(job);
  } else if (job.stage == Stage::kFinalizing && !job.stage_end_us) {
    returned(job);
  }
}

void World::report_taken(Job& job) {
  core_.recorder().end(core_.now_us(), job.commit_span);
  leave_instance(job, Phase::kCommitting);
  job.report_slot = 0;
  if (job.report_waiting != 0) {
    const std::uint32_t next = job.report_waiting;
    job.report_waiting = 0;
    report(job, next);
    job.report_visible_us = core_.now_us() + 1;  // this poll has taken its one report
  }
  if (job.stage == Stage::kReturned && !job.returned_visible_us && job.report_slot == 0) {
    job.returned_visible_us = core_.now_us() + 1;
  }
}

void World::end_training(Job& job) {
  job.ending = true;
  set_phase(job, Phase::kFinalizing, Cause::policy());
  enter_stage(job, Stage::kFinalizing,
              draw_phase(job, lengths(job).finalizing, Purpose::kFinalizing));
}

void World::returned(Job& job) {
  if (upload_busy(job)) {
    enter_stage(job, Stage::kFinalizing, std::nullopt);
    return;
  }
  enter_stage(job, Stage::kReturned, std::nullopt);
  // A rank whose report has not been taken yet still counts as running (ray.md 1.5).
  if (job.report_slot == 0) {
    job.returned_visible_us = core_.now_us();
    plan_poll(job);
  }
}

}  // namespace aftershock::sim
