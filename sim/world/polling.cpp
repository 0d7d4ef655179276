#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "sim/core/entry_kind.h"
#include "sim/workload/recoveries.h"
#include "sim/world/controlling.h"
#include "sim/world/draining.h"
#include "sim/world/failure.h"
#include "sim/world/findings.h"
#include "sim/world/machine_faults.h"
#include "sim/world/training.h"
#include "sim/world/world.h"

// Polls of workers: when a controller looks, and what it sees then.
namespace aftershock::sim::world {

namespace {

// A limit that no silence exceeds.
constexpr std::int64_t kNever = std::int64_t{1} << 60U;

// Some ranks can neither be asked for their report nor given up yet: it is taken when they can.
bool report_held(const workload::Job& job) {
  return std::ranges::any_of(job.detection.failures, [](const detection::RankFailure& failure) {
    return failure.silent && !failure.gone && !failure.visible_us;
  });
}

}  // namespace

policies::PollWatch poll_of(const policies::FuturesWatch& futures, std::int64_t now_us) {
  return {.epoch = futures.epoch,
          .anchor_us = now_us,
          .period_us = 1,
          .answer_wait_us = 0,
          .unanswered_limit_us = kNever,
          .again = false};
}

namespace {

// The poll, of those that show something, which comes first; it may be due already.
std::optional<std::int64_t> first_telling_poll(const workload::Job& job) {
  std::optional<std::int64_t> earliest;
  const auto consider = [&](std::int64_t at_us) {
    earliest = earliest ? std::min(*earliest, at_us) : at_us;
  };
  if (job.detection.report_slot != 0 && !report_held(job)) {
    consider(job.detection.clock.observes(job.detection.report_visible_us));
  }
  // A group of which a rank has failed is not finished, whoever has returned.
  if (job.detection.returned_visible_us && job.detection.failures.empty()) {
    consider(job.detection.clock.observes(*job.detection.returned_visible_us));
  }
  bool silent = false;
  for (const detection::RankFailure& failure : job.detection.failures) {
    if (failure.told) {
      continue;
    }
    silent = silent || failure.silent;
    if (failure.visible_us) {
      consider(failure.seen_us ? *failure.seen_us
                               : job.detection.clock.observes(*failure.visible_us));
    }
  }
  if (silent && job.detection.clock.silent() && job.detection.watch->unanswered_limit_us < kNever) {
    consider(job.detection.clock.limit_exceeded(job.detection.watch->unanswered_limit_us));
  }
  return earliest;
}

// Whether its workers are polled now. A wake-up between two polls is not one: else a policy could
// see by it what the answers that a poll waits for keep back.
bool polls_now(const World& world, const workload::Job& job) {
  if (!job.detection.watch) {
    return false;
  }
  const auto telling = first_telling_poll(job);
  return (telling && *telling <= world.now_us()) ||
         job.detection.clock.observes(world.now_us()) == world.now_us();
}

bool waits_on_futures(const workload::Job& job) {
  return job.detection.watch && job.detection.watch->unanswered_limit_us == kNever;
}

}  // namespace

// Sets the entry for the earliest poll at which there is something to see; polls that would see
// nothing are never played.
void plan_poll(World& world, workload::Job& job) {
  std::optional<std::int64_t> earliest;
  const auto consider = [&](std::int64_t at_us) {
    at_us = std::max(at_us, world.now_us());
    earliest = earliest ? std::min(*earliest, at_us) : at_us;
  };
  if (job.detection.watch) {
    if (const auto telling = first_telling_poll(job)) {
      consider(*telling);
    }
    // There is nothing to report where nothing goes on: a job that is stuck is not polled for that.
    const bool reports =
        job.detection.metrics == job.epoch && workload::has_processes(job) && !job.broken;
    if (job.detection.watch->again || reports) {
      consider(job.detection.clock.observes(world.now_us() + 1));
    }
  }
  if (job.control.wake_us) {
    consider(*job.control.wake_us);
  }
  if (earliest == job.detection.next_poll_us) {
    return;
  }
  ++job.detection.poll_epoch;
  job.detection.next_poll_us = earliest;
  if (earliest) {
    world.core.schedule(core::EntryKind::kPoll, *earliest,
                        {.entity = job.index, .epoch = job.detection.poll_epoch});
  }
}

namespace {

void collect_report(World& world, workload::Job& job) {
  if (job.detection.report_slot == 0 || job.detection.report_visible_us > world.now_us() ||
      report_held(job)) {
    return;
  }
  // The report of a rank whose process is gone, or does not answer, went with it.
  policies::RankSet lost;
  for (const detection::RankFailure& failure : job.detection.failures) {
    if (!failure.answers) {
      lost.add(failure.ranks);
    }
  }
  const auto& scores = spec(world, job).checkpoint->scores_e6;
  policies::CheckpointReported reported{
      .job = job.index,
      .epoch = job.epoch,
      .checkpoint = job.detection.report_slot,
      .ranks = policies::RankSet::range(0, job.workers).without(lost),
      .score_e6 = {}};
  if (!scores.empty()) {
    reported.score_e6 = scores[std::min<std::size_t>(job.detection.report_slot, scores.size()) - 1];
  }
  if (job.armed.divergent && reported.ranks.contains(job.armed.divergent->rank)) {
    diverge(world, job, reported);
  }
  // Nobody is left to report it where all are lost.
  if (!reported.ranks.empty()) {
    job.control.pending.emplace_back(std::move(reported));
  }
  report_taken(world, job);
}

}  // namespace

// The controller gets to see what the fault has done.
void note_detected(World& world, workload::Job& job, std::uint32_t fault) {
  world.faults.detect(fault);
  if (workload::Recovery* found = workload::find_recovery(job, fault);
      found != nullptr && !found->detected_us) {
    found->detected_us = world.now_us();
  }
}

namespace {

void collect_failures(World& world, workload::Job& job) {
  const detection::PollClock& clock = job.detection.clock;
  const bool limit_passed =
      clock.silent() && job.detection.watch->unanswered_limit_us < kNever &&
      clock.limit_exceeded(job.detection.watch->unanswered_limit_us) <= world.now_us();
  for (detection::RankFailure& failure : job.detection.failures) {
    const bool shows = failure.visible_us && *failure.visible_us <= world.now_us() &&
                       (!failure.seen_us || *failure.seen_us <= world.now_us());
    const bool given_up = failure.silent && limit_passed;
    if (failure.told || (!shows && !given_up)) {
      continue;
    }
    failure.told = true;
    if (!job.broken) {
      break_attempt(world, job, failure.fault);  // it worked on behind a cut
      job.breakage.stalled = may_return(job, failure);
    }
    if (failure.returned) {
      job.control.pending.emplace_back(
          policies::WorkersFinished{.job = job.index, .epoch = job.epoch, .ranks = failure.ranks});
      continue;
    }
    note_detected(world, job, failure.fault);
    if (failure.node && spec(world, job).fixed_detection_us) {
      node_known_down(world, job, *failure.node);
    }
    if (shows) {
      job.control.pending.emplace_back(
          policies::WorkersFailed{.job = job.index,
                                  .epoch = job.epoch,
                                  .ranks = failure.ranks,
                                  .kind = failure.kind,
                                  .exit_code = failure.exit_code,
                                  .preempted = is_preempted(world, job, failure),
                                  .error = failure.error});
    } else {
      job.control.pending.emplace_back(
          policies::PollUnanswered{.job = job.index,
                                   .epoch = job.epoch,
                                   .ranks = failure.ranks,
                                   .since_us = clock.first_unanswered()});
    }
  }
  // With fixed detection, what else is wrong with the gang is known at the same moment.
  for (const detection::RankFailure& failure : job.detection.failures) {
    if (failure.node && job.broken && spec(world, job).fixed_detection_us) {
      node_known_down(world, job, *failure.node);
    }
  }
}

}  // namespace

namespace {

// Reports of metrics are for each step; those of ranks that fail went with them.
void collect_metrics(World& world, workload::Job& job) {
  const std::int64_t step = work_now(world, job) / spec(world, job).step_us;
  if (job.detection.metrics != job.epoch || step <= job.detection.metrics_step ||
      !job.detection.failures.empty()) {
    return;
  }
  job.detection.metrics_step = step;
  job.control.pending.emplace_back(
      policies::MetricsReported{.job = job.index,
                                .epoch = job.epoch,
                                .ranks = policies::RankSet::range(0, job.workers),
                                .step = step});
}

}  // namespace

void poll(World& world, workload::Job& job) {
  job.detection.next_poll_us.reset();
  const bool woken = job.control.wake_us && *job.control.wake_us <= world.now_us();
  if (woken) {
    job.control.wake_us.reset();
    job.control.pending.emplace_back(policies::Timer{.job = job.index});
  }
  // An entry that no alarm has set is there for a poll.
  if (!job.detection.watch || (woken && !polls_now(world, job))) {
    deliver(world, job);
    return;
  }
  const bool again = job.detection.watch->again;
  if (!waits_on_futures(job)) {
    collect_metrics(world, job);
  }
  collect_report(world, job);
  if (job.detection.returned_visible_us && *job.detection.returned_visible_us <= world.now_us() &&
      job.detection.failures.empty()) {
    job.detection.returned_visible_us.reset();
    // Nobody sees that those without an agent have returned.
    auto ranks = policies::RankSet::range(0, job.workers).without(job.detection.unwatched);
    if (!ranks.empty()) {
      job.control.pending.emplace_back(policies::WorkersFinished{
          .job = job.index, .epoch = job.epoch, .ranks = std::move(ranks)});
    }
  }
  collect_failures(world, job);
  if (job.control.pending.size() > 1 &&
      std::holds_alternative<policies::Timer>(job.control.pending.front())) {
    world.moments.add(RareMoment::kTimerTies);
  }
  if (!job.control.pending.empty() || again) {
    deliver(world, job, !waits_on_futures(job));
  } else {
    plan_poll(world, job);
  }
}

}  // namespace aftershock::sim::world
