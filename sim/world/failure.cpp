#include <algorithm>
#include <utility>
#include <vector>

#include "sim/core/entry_kind.h"
#include "sim/detection/ticks.h"
#include "sim/workload/recoveries.h"
#include "sim/world/liveness.h"
#include "sim/world/network_trouble.h"
#include "sim/world/world.h"

// What a fault does to an attempt, and how an attempt ends.
namespace aftershock::sim {

namespace {

using reports::Cause;
using reports::EntityKind;

// When a hang that begins now will be suspected: by the job's own rule, or where it has none by the
// policy's look at collectives, if one is open. Looks at activity are watch_activity()'s.
std::optional<std::int64_t> hang_suspected_us(const Job& job, const JobSpec& spec,
                                              bool in_collective, std::int64_t now_us) {
  if (spec.fixed_detection_us) {
    return std::nullopt;
  }
  if (spec.hang_after_us) {
    return now_us + *spec.hang_after_us;
  }
  if (!job.hang || job.hang->by_activity || !in_collective) {
    return std::nullopt;
  }
  const policies::HangWatch& watch = *job.hang;
  return tick_when_sure(now_us, watch.after_us, watch.anchor_us, watch.period_us);
}

// Who waits at the collective, and is there to give up.
policies::RankSet peers_of_failed(const Job& job) {
  policies::RankSet waited_for;
  for (const RankFailure& failure : job.failures) {
    waited_for.add(failure.ranks);
  }
  return policies::RankSet::range(0, job.workers).without(waited_for);
}

}  // namespace

policies::RankSet World::ranks_on(const Job& job, std::uint32_t slot) const {
  const std::uint32_t per_node =
      core_.scenario().cluster.pools[spec(job).pool].accelerators_per_node;
  return policies::RankSet::range(slot * per_node, std::min((slot + 1) * per_node, job.workers));
}

void World::break_attempt(Job& job, std::uint32_t fault) {
  end_drain(job);
  if (job.stage == Stage::kTraining) {
    close_segment(job);
  }
  job.stage_left_us =
      job.stage_end_us ? std::optional(*job.stage_end_us - core_.now_us()) : std::nullopt;
  job.stage_end_us.reset();
  ++job.stage_epoch;
  job.broken = true;
  job.broken_fault = fault;
  job.broken_us = core_.now_us();
  job.start_cause = Cause::fault(fault);
  if (!starting(job)) {
    job.lost_cause = job.start_cause;
  }
  if (job.download != 0) {
    network_.transfers().cancel(std::exchange(job.download, 0));
  }
  checker_.drop(job, DeadlineKind::kGrows);
  checker_.drop(job, DeadlineKind::kMeetingEnds);
  open_recovery(job, fault, core_.now_us());
  set_phase(job, Phase::kUndetected, job.start_cause);
  watch_activity(job);
}

void World::cancel_transfers(Job& job, bool keep_upload) {
  if (job.download != 0) {
    network_.transfers().cancel(std::exchange(job.download, 0));
  }
  if (job.upload != 0) {
    network_.transfers().cancel(std::exchange(job.upload, 0));
    core_.recorder().end(core_.now_us(), job.upload_span);
    leave_instance(job, Phase::kUploading);
  }
  if (job.uploading != 0 && !keep_upload) {
    job.leftovers.push_back(
        {job.uploading, true, find_checkpoint(job, job.uploading)->named_us, {}});
    drop_checkpoint(job, std::exchange(job.uploading, 0));
  }
}

void World::fail_ranks(Job& job, RankFailure failure) {
  if (!failure.node && all_wait_for_others(job, failure.ranks)) {
    job.late_failures.push_back(std::move(failure));
    return;
  }
  if (!has_processes(job)) {
    return;
  }
  if (failure.gone) {
    const std::int64_t period_us = spec(job).run.sync_period_us;
    failure.node ? lose_artifacts(job.artifacts, period_us, core_.now_us())
                 : stop_writing(job.artifacts, period_us, core_.now_us());
    job.stalled = false;
    if (!failure.answers) {
      cancel_transfers(job, false);  // their shards of it will never arrive
    }
    if (!job.broken) {
      break_attempt(job, failure.fault);
      wait_for_peer(job);
      if (job.stage == Stage::kRendezvous) {
        checker_.expect(job, DeadlineKind::kMeetingEnds,
                        core_.now_us() + recovery_bound_us(core_.scenario(), spec(job)));
      }
    }
  }
  if (const auto& fixed_us = spec(job).fixed_detection_us) {
    failure.silent = false;
    failure.visible_us = core_.now_us() + *fixed_us;
    failure.hidden_on.reset();
  }
  if (failure.silent && job.watch) {
    job.clock.fall_silent(core_.now_us());
  }
  job.failures.push_back(std::move(failure));
  failure_shows(job, job.failures.back());
}

// Where nobody acts before that, the others wait in a collective until it gives up.
void World::wait_for_peer(Job& job) {
  const auto& patience_us = spec(job).collective_timeout_us;
  if (!job.host.info().leaves_peers || !patience_us || job.stage == Stage::kLaunching ||
      spec(job).fixed_detection_us) {
    return;
  }
  core_.schedule(EntryKind::kCollectiveTimeout, core_.now_us() + *patience_us,
                 {.entity = job.index, .epoch = job.stage_epoch});
}

// Plans who looks when, once it is known from when on the failure shows.
void World::failure_shows(Job& job, RankFailure& failure) {
  if (!starting(job)) {
    plan_poll(job);
  } else if (failure.visible_us) {
    // During a start the controller waits for the workers' answers; it does not poll.
    core_.schedule(EntryKind::kStartFailureSeen, *failure.visible_us,
                   {.entity = job.index, .epoch = job.epoch});
  }
}

void World::stall(Job& job, std::uint32_t fault) {
  if (job.broken || !has_processes(job)) {
    return;
  }
  break_attempt(job, fault);
  job.stalled = true;
  const JobSpec& job_spec = spec(job);
  if (job.stage == Stage::kLaunching) {
    return;  // nobody waits in a collective yet
  }
  // Ranks that are in report() wait for each other there, and no collective of theirs is open.
  const auto& patience_us = reporting(job) ? job.report_barrier_us : job_spec.collective_timeout_us;
  if (patience_us && !job_spec.fixed_detection_us) {
    core_.schedule(EntryKind::kCollectiveTimeout, core_.now_us() + *patience_us,
                   {.entity = job.index, .epoch = job.stage_epoch});
  }
  if (const auto suspected_us = hang_suspected_us(job, job_spec, !reporting(job), core_.now_us())) {
    core_.schedule(EntryKind::kHangRule, *suspected_us,
                   {.entity = job.index, .epoch = job.stage_epoch});
  }
}

// By when its controller has to know of a hang, by what is set for that, and to go by it. EntryKind
// is cut off at the time is nobody's to see.
void WorldState::expect_answer(const Job& job) {
  if (!job.stalled || !job.driver_up || !network_.whole()) {
    return;
  }
  const JobSpec& job_spec = spec(job);
  std::optional<std::int64_t> shows_us;
  const auto consider = [&](std::optional<std::int64_t> at_us) {
    if (at_us) {
      shows_us = std::min(shows_us.value_or(*at_us), *at_us);
    }
  };
  const auto& patience_us = job_spec.fixed_detection_us ? job_spec.fixed_detection_us
                            : reporting(job)            ? job.report_barrier_us
                                                        : job_spec.collective_timeout_us;
  if (job.activity_timeout_us && *job.activity_timeout_us >= core_.now_us()) {
    consider(job.activity_timeout_us);  // the one before was of something else
  }
  if (patience_us && (job_spec.fixed_detection_us || !peers_of_failed(job).empty())) {
    consider(core_.now_us() + *patience_us);
  }
  if (!starting(job)) {
    // Who waits for an attempt to start hears of nothing else.
    consider(hang_suspected_us(job, job_spec, !reporting(job), core_.now_us()));
  }
  if (!shows_us) {
    return;
  }
  constexpr std::int64_t kSlackUs = 60'000'000;
  const std::int64_t round_us = job.watch ? job.watch->period_us + job.watch->answer_wait_us : 0;
  checker_.expect(job, DeadlineKind::kHangAnswered, *shows_us + round_us + kSlackUs);
}

// Who waits in the collective behind a cut gives up when the others do. Where these are left to it,
// somebody is still there to see that, as soon as the node can say so.
void World::give_up_behind_cuts(Job& job) {
  std::vector<RankFailure> raised;
  for (const RankFailure& failure : job.failures) {
    if (!failure.node || failure.gone || failure.visible_us || failure.told) {
      continue;
    }
    RankFailure& one = raised.emplace_back();
    one.ranks = failure.ranks;
    one.kind = policies::WorkerFailure::kCollectiveTimeout;
    one.answers = true;
    one.fault = job.broken_fault;
    if (hides(job, *failure.node)) {
      one.hidden_on = failure.node;
    } else {
      one.visible_us = core_.now_us();
    }
  }
  // Nothing is left there that could go on when the cut is over.
  std::erase_if(job.failures, [&](const RankFailure& failure) {
    return failure.node && !failure.gone && !failure.visible_us && !failure.told &&
           !hides(job, *failure.node);
  });
  if (job.clock.silent() && std::ranges::none_of(job.failures, &RankFailure::silent)) {
    job.clock.end_silence(core_.now_us());
  }
  for (RankFailure& one : raised) {
    fail_ranks(job, std::move(one));
  }
}

void World::collective_timed_out(Job& job) {
  if (!job.broken || !has_processes(job)) {
    return;
  }
  job.stalled = false;
  // Every rank but the ones it waited for raises.
  RankFailure failure;
  failure.ranks = peers_of_failed(job);
  if (job.host.info().leaves_peers && !spec(job).fixed_detection_us) {
    give_up_behind_cuts(job);
  }
  if (failure.ranks.empty()) {
    return;
  }
  failure.kind = policies::WorkerFailure::kCollectiveTimeout;
  if (reporting(job)) {
    failure.kind = policies::WorkerFailure::kException;
    failure.error = "BroadcastCollectiveTimeoutError";
  }
  failure.answers = true;
  failure.visible_us = core_.now_us();
  failure.fault = job.broken_fault;
  fail_ranks(job, std::move(failure));
}

// What held ranks up is over: forgets it where nobody has seen it yet.
void World::forget_failures(Job& job, std::uint32_t fault) {
  const bool was_silent =
      std::ranges::any_of(job.failures, [](const RankFailure& failure) { return failure.silent; });
  std::erase_if(job.failures, [fault](const RankFailure& failure) {
    return failure.fault == fault && !failure.gone && !failure.visible_us && !failure.told;
  });
  const bool is_silent =
      std::ranges::any_of(job.failures, [](const RankFailure& failure) { return failure.silent; });
  if (was_silent && !is_silent && job.clock.silent()) {
    job.clock.end_silence(core_.now_us());
  }
  if (job.stalled && job.failures.empty()) {
    resume_stalled(job);
  }
  NetworkTrouble(*this).take_up_transfers(job);
  plan_poll(job);
}

void World::resume_stalled(Job& job) {
  checker_.drop(job, DeadlineKind::kHangAnswered);
  job.broken = false;
  job.stalled = false;
  // An attempt that has not begun to train yet goes on with its start: that is not running again.
  if (!starting(job) && job.stage != Stage::kSelecting && job.stage != Stage::kDownloading &&
      job.stage != Stage::kWarmingUp) {
    note_running(job, core_.now_us());
  }
  const Cause cause = job.start_cause;
  job.start_cause = Cause::policy();
  switch (job.stage) {
    case Stage::kLaunching:
    case Stage::kRendezvous:
    case Stage::kSelecting:
    case Stage::kWarmingUp:
      job.start_cause = cause;
      set_phase(job,
                job.stage == Stage::kLaunching    ? Phase::kLaunching
                : job.stage == Stage::kRendezvous ? Phase::kRendezvous
                : job.stage == Stage::kSelecting  ? Phase::kRestoring
                                                  : Phase::kWarmingUp,
                cause);
      enter_stage(job, job.stage, job.stage_left_us);
      break;
    case Stage::kDownloading:
      job.start_cause = cause;
      begin_download(job);
      break;
    case Stage::kTraining:
      open_segment(job);
      break;
    case Stage::kSnapshot:
      set_phase(job, Phase::kCheckpointing, Cause::checkpoint());
      enter_stage(job, job.stage, job.stage_left_us);
      break;
    case Stage::kWaitUpload:
    case Stage::kWaitReport: {
      set_phase(job, Phase::kCheckpointing, Cause::checkpoint());
      const CheckpointState last =
          job.checkpoints.empty() ? CheckpointState::kCommitted : job.checkpoints.back().state;
      if (!upload_busy(job) && last == CheckpointState::kSnapshot) {
        begin_snapshot(job);
      } else if (!upload_busy(job) && last != CheckpointState::kUploading) {
        go_on_after_checkpoint(job);
      }
      break;
    }
    case Stage::kFinalizing:
      set_phase(job, Phase::kFinalizing, Cause::policy());
      if (job.stage_left_us) {
        enter_stage(job, job.stage, job.stage_left_us);
      } else {
        returned(job);
      }
      break;
    case Stage::kReturned:
      set_phase(job, Phase::kFinalizing, Cause::policy());
      break;
    case Stage::kNone:
    case Stage::kQueued:
    case Stage::kTearingDown:
    case Stage::kEnded:
      break;
  }
  watch_activity(job);
}

}  // namespace aftershock::sim
