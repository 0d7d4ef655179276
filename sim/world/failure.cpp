#include "sim/world/failure.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/detection/ticks.h"
#include "sim/workload/recoveries.h"
#include "sim/world/controlling.h"
#include "sim/world/draining.h"
#include "sim/world/liveness.h"
#include "sim/world/network_faults.h"
#include "sim/world/peers.h"
#include "sim/world/phases.h"
#include "sim/world/scheduling.h"
#include "sim/world/starting.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// Faults that break an attempt, and how an attempt ends.
namespace aftershock::sim::world {

namespace {

using reports::Cause;
using reports::EntityKind;

// When a hang that begins now will be suspected: by the job's own rule, or where it has none by the
// policy's look at collectives, if one is open. Looks at activity are watch_activity()'s.
std::optional<std::int64_t> hang_suspected_us(const workload::Job& job,
                                              const scenario::JobSpec& spec, bool in_collective,
                                              std::int64_t now_us) {
  if (spec.fixed_detection_us) {
    return std::nullopt;
  }
  if (spec.hang_after_us) {
    return now_us + *spec.hang_after_us;
  }
  if (!job.detection.hang || job.detection.hang->by_activity || !in_collective) {
    return std::nullopt;
  }
  const policies::HangWatch& watch = *job.detection.hang;
  return detection::tick_when_sure(now_us, watch.after_us, watch.anchor_us, watch.period_us);
}

}  // namespace

policies::RankSet ranks_on(const World& world, const workload::Job& job, std::uint32_t slot) {
  const std::uint32_t per_node =
      world.scenario().cluster.pools[spec(world, job).pool].accelerators_per_node;
  return policies::RankSet::range(slot * per_node, std::min((slot + 1) * per_node, job.workers));
}

void break_attempt(World& world, workload::Job& job, std::uint32_t fault) {
  end_drain(world, job);
  if (job.stage == workload::Stage::kTraining) {
    close_segment(world, job);
  }
  job.breakage.stage_left_us =
      job.stage_end_us ? std::optional(*job.stage_end_us - world.now_us()) : std::nullopt;
  job.stage_end_us.reset();
  ++job.stage_epoch;
  job.broken = true;
  job.breakage.broken_fault = fault;
  job.breakage.broken_us = world.now_us();
  job.start_cause = Cause::fault(fault);
  if (!workload::starting(job)) {
    // A start has done nothing that it could lose: the loss is that of the attempt before, with its
    // cause.
    job.lost_cause = job.start_cause;
  }
  if (job.saved.download != 0) {
    // The upload goes on: shards on their way arrive unless their sender is gone (fail_ranks()).
    world.network.transfers().cancel(std::exchange(job.saved.download, 0));
  }
  world.checker.drop(job, invariants::DeadlineKind::kGrows);
  world.checker.drop(job, invariants::DeadlineKind::kMeetingEnds);
  workload::open_recovery(job, fault, world.now_us());
  set_phase(world, job, scenario::Phase::kUndetected, job.start_cause);
  watch_activity(world, job);
}

void cancel_transfers(World& world, workload::Job& job, bool keep_upload) {
  if (job.saved.download != 0) {
    world.network.transfers().cancel(std::exchange(job.saved.download, 0));
  }
  if (job.saved.upload != 0) {
    world.network.transfers().cancel(std::exchange(job.saved.upload, 0));
    world.core.recorder().end(world.now_us(), job.saved.upload_span);
    leave_instance(world, job, scenario::Phase::kUploading);
  }
  if (job.saved.uploading != 0 && !keep_upload) {
    job.saved.leftovers.push_back({job.saved.uploading,
                                   true,
                                   workload::find_checkpoint(job, job.saved.uploading)->named_us,
                                   {}});
    drop_checkpoint(job, std::exchange(job.saved.uploading, 0));
  }
}

namespace {

// The end of ranks without an agent shows to nobody; that of others does.
void hide_unwatched(workload::Job& job, detection::RankFailure& failure) {
  if (failure.node || !failure.ranks.overlaps(job.detection.unwatched)) {
    return;
  }
  detection::RankFailure unseen = failure;
  unseen.ranks = failure.ranks.without(failure.ranks.without(job.detection.unwatched));
  unseen.visible_us.reset();
  failure.ranks = failure.ranks.without(unseen.ranks);
  if (failure.ranks.empty()) {
    failure = std::move(unseen);
  } else {
    job.detection.failures.push_back(std::move(unseen));
  }
}

}  // namespace

void fail_ranks(World& world, workload::Job& job, detection::RankFailure failure) {
  // Nobody looks at survivors while others are replaced; a lost node is missed by its heartbeats.
  if (!failure.node && workload::all_wait_for_others(job, failure.ranks)) {
    job.detection.late_failures.push_back(std::move(failure));
    return;
  }
  if (!workload::has_processes(job)) {
    return;
  }
  if (!job.detection.unwatched.empty()) {
    hide_unwatched(job, failure);
  }
  const PeerLoss loss = loss_of(failure);
  // Those that gave up are waited for by nobody: the others did, too.
  const bool waited_for = failure.gone && failure.gone_us == 0;
  bool first = false;
  if (failure.gone) {
    const std::int64_t period_us = spec(world, job).run.sync_period_us;
    failure.node ? workload::lose_artifacts(job.saved.artifacts, period_us, world.now_us())
                 : workload::stop_writing(job.saved.artifacts, period_us, world.now_us());
    job.breakage.stalled = false;
    if (!failure.answers) {
      cancel_transfers(world, job, false);  // their shards of it will never arrive
    }
    if (!job.broken) {
      break_attempt(world, job, failure.fault);
      first = true;
      if (job.stage == workload::Stage::kRendezvous) {
        world.checker.expect(
            job, invariants::DeadlineKind::kMeetingEnds,
            world.now_us() + recovery_bound_us(world.scenario(), spec(world, job)));
      }
    }
  }
  // Fixed detection replaces polls and heartbeats: nothing hides a failure from it or shows it
  // sooner.
  const auto& fixed_us = spec(world, job).fixed_detection_us;
  if (fixed_us && (failure.node || !failure.ranks.overlaps(job.detection.unwatched))) {
    failure.silent = false;
    failure.visible_us = world.now_us() + *fixed_us;
    failure.hidden_on.reset();
  }
  if (failure.silent && job.detection.watch) {
    job.detection.clock.fall_silent(world.now_us());
  }
  job.detection.failures.push_back(std::move(failure));
  failure_shows(world, job, job.detection.failures.back());
  if (waited_for) {
    peers_wait(world, job, loss, first);
  }
}

// Plans who looks when, once it is known from when on the failure shows.
void failure_shows(World& world, workload::Job& job, detection::RankFailure& failure) {
  if (!workload::starting(job) || job.detection.start_failure_told) {
    plan_poll(world, job);
  } else if (failure.visible_us) {
    // During a start the controller waits for the workers' answers; it does not poll before one
    // of them has told it that the start failed.
    world.core.schedule(core::EntryKind::kStartFailureSeen, *failure.visible_us,
                        {.entity = job.index, .epoch = job.epoch});
  }
}

bool may_return(const workload::Job& job, const detection::RankFailure& failure) {
  return failure.node && !failure.gone && job.control.host.info().watches_nodes;
}

void stall(World& world, workload::Job& job, std::uint32_t fault, PeerLoss loss) {
  if (job.broken || !workload::has_processes(job)) {
    return;
  }
  break_attempt(world, job, fault);
  job.breakage.stalled = true;
  const scenario::JobSpec& job_spec = spec(world, job);
  if (job.stage == workload::Stage::kLaunching) {
    return;  // nobody waits in a collective yet
  }
  peers_wait(world, job, loss, true);
  if (const auto suspected_us =
          hang_suspected_us(job, job_spec, !workload::reporting(job), world.now_us())) {
    world.core.schedule(core::EntryKind::kHangRule, *suspected_us,
                        {.entity = job.index, .epoch = job.stage_epoch});
  }
}

// By when its controller has to know of a hang, by what is set for that, and to act on it. A node
// that is cut off at the time shows nothing.
void expect_answer(World& world, const workload::Job& job) {
  if (!job.breakage.stalled || !job.control.driver_up || !world.network.whole()) {
    return;
  }
  const scenario::JobSpec& job_spec = spec(world, job);
  std::optional<std::int64_t> shows_us;
  const auto consider = [&](std::optional<std::int64_t> at_us) {
    if (at_us) {
      shows_us = std::min(shows_us.value_or(*at_us), *at_us);
    }
  };
  const auto patience_us = job_spec.fixed_detection_us
                               ? job_spec.fixed_detection_us
                               : peers_gone_after_us(world, job, PeerLoss::kHangs);
  if (job.detection.activity_timeout_us && *job.detection.activity_timeout_us >= world.now_us()) {
    consider(job.detection.activity_timeout_us);  // the one before was of something else
  }
  if (patience_us && (job_spec.fixed_detection_us || !peers_of_failed(job).empty())) {
    consider(world.now_us() + *patience_us);
  }
  if (!workload::starting(job)) {
    // A controller that waits for an attempt to start hears of nothing else.
    consider(hang_suspected_us(job, job_spec, !workload::reporting(job), world.now_us()));
  }
  if (!shows_us) {
    return;
  }
  constexpr std::int64_t kSlackUs = 60'000'000;
  const std::int64_t round_us =
      job.detection.watch ? job.detection.watch->period_us + job.detection.watch->answer_wait_us
                          : 0;
  world.checker.expect(job, invariants::DeadlineKind::kHangAnswered,
                       *shows_us + round_us + kSlackUs);
}

// The fault that held ranks up is over: a failure that nobody has seen yet is forgotten.
void forget_failures(World& world, workload::Job& job, std::uint32_t fault) {
  const bool was_silent = std::ranges::any_of(
      job.detection.failures, [](const detection::RankFailure& failure) { return failure.silent; });
  std::erase_if(job.detection.failures, [fault](const detection::RankFailure& failure) {
    return failure.fault == fault && !failure.gone && !failure.visible_us && !failure.told;
  });
  const bool is_silent = std::ranges::any_of(
      job.detection.failures, [](const detection::RankFailure& failure) { return failure.silent; });
  if (was_silent && !is_silent && job.detection.clock.silent()) {
    job.detection.clock.end_silence(world.now_us());
  }
  if (job.breakage.stalled && job.detection.failures.empty()) {
    resume_stalled(world, job);
  }
  take_up_transfers(world, job);
  plan_poll(world, job);
}

void resume_stalled(World& world, workload::Job& job) {
  world.checker.drop(job, invariants::DeadlineKind::kHangAnswered);
  job.broken = false;
  job.breakage.stalled = false;
  // An attempt that has not begun to train yet goes on with its start: that is not running again.
  if (!workload::starting(job) && job.stage != workload::Stage::kSelecting &&
      job.stage != workload::Stage::kDownloading && job.stage != workload::Stage::kWarmingUp) {
    workload::note_running(job, world.now_us());
  }
  const Cause cause = job.start_cause;
  job.start_cause = Cause::policy();
  switch (job.stage) {
    case workload::Stage::kLaunching:
    case workload::Stage::kRendezvous:
    case workload::Stage::kSelecting:
    case workload::Stage::kWarmingUp:
      job.start_cause = cause;
      set_phase(world, job,
                job.stage == workload::Stage::kLaunching    ? scenario::Phase::kLaunching
                : job.stage == workload::Stage::kRendezvous ? scenario::Phase::kRendezvous
                : job.stage == workload::Stage::kSelecting  ? scenario::Phase::kRestoring
                                                            : scenario::Phase::kWarmingUp,
                cause);
      enter_stage(world, job, job.stage, job.breakage.stage_left_us);
      break;
    case workload::Stage::kDownloading:
      job.start_cause = cause;
      begin_download(world, job);
      break;
    case workload::Stage::kTraining:
      open_segment(world, job);
      break;
    case workload::Stage::kSnapshot:
      set_phase(world, job, scenario::Phase::kCheckpointing, Cause::checkpoint());
      enter_stage(world, job, job.stage, job.breakage.stage_left_us);
      break;
    case workload::Stage::kWaitUpload:
    case workload::Stage::kWaitReport: {
      set_phase(world, job, scenario::Phase::kCheckpointing, Cause::checkpoint());
      const workload::CheckpointState last = job.saved.checkpoints.empty()
                                                 ? workload::CheckpointState::kCommitted
                                                 : job.saved.checkpoints.back().state;
      if (!workload::upload_busy(job) && last == workload::CheckpointState::kSnapshot) {
        begin_snapshot(world, job);
      } else if (!workload::upload_busy(job) && last != workload::CheckpointState::kUploading) {
        go_on_after_checkpoint(world, job);
      }
      break;
    }
    case workload::Stage::kFinalizing:
      set_phase(world, job, scenario::Phase::kFinalizing, Cause::policy());
      if (job.breakage.stage_left_us) {
        enter_stage(world, job, job.stage, job.breakage.stage_left_us);
      } else {
        returned(world, job);
      }
      break;
    case workload::Stage::kReturned:
      set_phase(world, job, scenario::Phase::kFinalizing, Cause::policy());
      break;
    case workload::Stage::kNone:
    case workload::Stage::kQueued:
    case workload::Stage::kTearingDown:
    case workload::Stage::kEnded:
      break;
  }
  watch_activity(world, job);
}

}  // namespace aftershock::sim::world
