// The drain of a group whose nodes are to be taken away: Ray Train V2 since mid 2026. No worker is
// asked to stop; they go on, and may still report, until all have stopped or time is up.

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "policies/ray_train/controller.h"
#include "policies/ray_train/seen.h"

namespace aftershock::policies::ray_train {
namespace {

constexpr DurationUs kUnknownDeadlineUs = 120 * kSecondUs;

}  // namespace

bool RayTrain::watches_drain() const {
  return profile_->handles_preemption && config_.preemption_watcher && !config_.replica_groups;
}

bool RayTrain::act_on_preemption(Turn& turn, std::size_t begin, Failed& failed) {
  // A failed replica group is replaced at once: there is nothing to drain.
  if (config_.replica_groups) {
    return false;
  }
  return state_ == State::kRunning ? enter_preempting(turn, begin, failed)
                                   : go_on_preempting(turn, begin, failed);
}

bool RayTrain::enter_preempting(Turn& turn, std::size_t begin, Failed& failed) {
  std::vector<Index> saw;
  if (watches_drain()) {
    for_each_seen<PreemptionNotice>(turn.batch, begin, job_, epoch_,
                                    [&](Index at, const auto&) { saw.push_back(at); });
  }
  const bool plain_failure = !failed.saw.empty() && !failed.preempted;
  const bool clean_end = failed.saw.empty() && covers(finished_, workers_);
  if ((saw.empty() && !failed.preempted) || plain_failure || clean_end) {
    return false;
  }
  saw.insert(saw.end(), failed.saw.begin(), failed.saw.end());
  std::sort(saw.begin(), saw.end());
  drain_ = Drain{.detected_us = turn.batch.t_us,
                 .deadline_us = 0,
                 .gone = std::move(failed.ranks),
                 .preempted_death = failed.preempted};
  merge_notices(turn, begin);
  Step& step = add_step(turn, RuleId::kPreemptingEnter, State::kPreempting);
  step.saw = std::move(saw);
  step.rejected.push_back({"stop the workers", "they may finish, or report, before they go"});
  return true;
}

bool RayTrain::go_on_preempting(Turn& turn, std::size_t begin, Failed& failed) {
  AFTERSHOCK_ASSERT(drain_);
  // A dead worker is seen dead in every poll, so that a preempted one explains later failures too.
  drain_->preempted_death |= failed.preempted;
  if (!failed.saw.empty() && !drain_->preempted_death) {
    return false;
  }
  merge_notices(turn, begin);
  std::vector<Index> saw;
  if (watches_drain()) {
    for_each_seen<PreemptionNotice>(turn.batch, begin, job_, epoch_,
                                    [&](Index at, const auto&) { saw.push_back(at); });
  }
  if (!saw.empty()) {
    add_step(turn, RuleId::kPreemptingMerge, state_).saw = std::move(saw);
  }
  if (!failed.saw.empty()) {
    drain_->gone.add(failed.ranks);
    Step& step = add_step(turn, RuleId::kPreemptingDeath, state_);
    step.saw = std::move(failed.saw);
    step.rejected.push_back({"charge max_failures", "a preempted worker is among the dead"});
  }
  if (drain_->gone.empty() && covers(finished_, workers_)) {
    return false;
  }
  leave_preempting_if_due(turn);
  return true;
}

void RayTrain::merge_notices(const Turn& turn, std::size_t begin) {
  if (!watches_drain()) {
    return;
  }
  for_each_seen<PreemptionNotice>(
      turn.batch, begin, job_, epoch_, [&](Index, const PreemptionNotice& notice) {
        if (notice.deadline_us > 0 &&
            (drain_->deadline_us == 0 || notice.deadline_us < drain_->deadline_us)) {
          drain_->deadline_us = notice.deadline_us;
        }
      });
}

TimeUs RayTrain::drain_deadline() const {
  const TimeUs told_us =
      drain_->deadline_us > 0 ? drain_->deadline_us : drain_->detected_us + kUnknownDeadlineUs;
  return told_us + config_.preemption_grace_us;
}

void RayTrain::leave_preempting_if_due(Turn& turn) {
  RankSet stopped = drain_->gone;
  stopped.add(finished_);
  if (!covers(stopped, workers_) && turn.batch.t_us < drain_deadline()) {
    return;
  }
  fail_with(turn, {},
            {.error = ErrorClass::kPreemption,
             .cause = ChargeCause::kPreemption,
             .retry = RuleId::kPreemptionRetry,
             .raise = RuleId::kPreemptionRaise,
             .in_loop = false});
}

void RayTrain::watch_drain(Turn& turn) const {
  Watch& watch = turn.decision.watch;
  if (watches_drain()) {
    watch.drain =
        DrainWatch{.anchor_us = started_us_, .period_us = config_.preemption_poll_interval_us};
  }
  if (!drain_) {
    return;
  }
  RankSet stopped = drain_->gone;
  stopped.add(finished_);
  watch.wake_us = first_poll(anchor_us_, config_.health_check_interval_us, turn.batch.t_us,
                             covers(stopped, workers_) ? 0 : drain_deadline());
}

}  // namespace aftershock::policies::ray_train
