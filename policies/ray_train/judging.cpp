// One look of the controller at its running group as installed versions of Ray have it: a run that
// has succeeded first, then a preemption that was announced, then errors. A poll shows again what
// workers have shown.

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "policies/ray_train/classify.h"
#include "policies/ray_train/controller.h"
#include "policies/ray_train/seen.h"

namespace aftershock::policies::ray_train {

void RayTrain::begin_polls(TimeUs now) {
  anchor_us_ = now;
  if (!profile_->polls_go_on) {
    return;
  }
  polls_at_once_ = poll_is_due(now);
  if (!polls_at_once_) {
    anchor_us_ = *last_poll_us_;
  }
}

bool RayTrain::poll_is_due(TimeUs now) const {
  return !profile_->polls_go_on || !last_poll_us_ ||
         now >= *last_poll_us_ + config_.health_check_interval_us;
}

// Polls that show nothing are not told of.
TimeUs RayTrain::last_poll_before(TimeUs now) const {
  const DurationUs interval_us = config_.health_check_interval_us;
  return anchor_us_ + std::max<TimeUs>(0, now - 1 - anchor_us_) / interval_us * interval_us;
}

void RayTrain::remember(const Turn& turn, std::size_t begin) {
  for_each_seen<WorkersFailed>(turn.batch, begin, job_, epoch_,
                               [&](Index, const WorkersFailed& seen) {
                                 const bool raised = seen.kind == WorkerFailure::kException;
                                 (raised ? shown_.raised : shown_.dead).add(seen.ranks);
                                 shown_.preempted |= seen.preempted && !raised;
                                 shown_.cause = stronger_cause(shown_.cause, charge_cause(seen));
                               });
  for_each_seen<PollUnanswered>(turn.batch, begin, job_, epoch_,
                                [&](Index, const PollUnanswered& seen) {
                                  shown_.silent.add(seen.ranks);
                                  shown_.cause = stronger_cause(shown_.cause, ChargeCause::kNode);
                                });
  if (!watches_drain()) {
    return;
  }
  for_each_seen<PreemptionNotice>(
      turn.batch, begin, job_, epoch_, [&](Index, const PreemptionNotice& notice) {
        shown_.announced.add(notice.ranks);
        if (notice.deadline_us > 0) {
          shown_.deadline_us = shown_.deadline_us > 0
                                   ? std::min(shown_.deadline_us, notice.deadline_us)
                                   : notice.deadline_us;
        }
      });
}

RankSet RayTrain::stopped() const {
  RankSet ranks = shown_.dead;
  ranks.add(shown_.raised);
  ranks.add(finished_);
  return ranks;
}

// The echo of a notice comes with an answer.
bool RayTrain::somebody_answers() const {
  RankSet quiet = shown_.dead;
  quiet.add(shown_.silent);
  return !covers(quiet, workers_);
}

void RayTrain::judge(Turn& turn, std::size_t begin, bool handed_over) {
  const bool at_once = std::exchange(polls_at_once_, false);
  if (std::exchange(hung_, false)) {
    // Raised inside the poll, which therefore does not count as one.
    last_poll_us_ = last_poll_before(turn.batch.t_us);
    fail_with(
        turn, {},
        {.error = ErrorClass::kWorkerGroup, .cause = ChargeCause::kApplication, .in_loop = false});
    return;
  }
  last_poll_us_ = turn.batch.t_us;
  const bool failed = !shown_.failed().empty();
  const bool all_stopped = covers(stopped(), workers_);
  // A worker that has just handed over a report counts as running in this poll.
  const bool finished = all_stopped && !handed_over && !again_;
  if (finished && !failed) {
    act_on_finish(turn, begin);
    return;
  }
  // The watcher of notices begins with the group: a poll at once is over before its first answer.
  const bool noticed = !shown_.announced.empty() && somebody_answers();
  again_ |= all_stopped || (at_once && noticed);
  if (state_ == State::kPreempting) {
    judge_drain(turn, begin, finished);
  } else if (noticed && !at_once) {
    begin_drain(turn, begin);
  } else if (failed) {
    fail_with_shown(turn, begin);
  } else {
    consider_resize(turn);
  }
}

void RayTrain::fail_with_shown(Turn& turn, std::size_t begin) {
  std::vector<Index> saw;
  for_each_seen<WorkersFailed>(turn.batch, begin, job_, epoch_,
                               [&](Index at, const auto&) { saw.push_back(at); });
  for_each_seen<PollUnanswered>(turn.batch, begin, job_, epoch_,
                                [&](Index at, const auto&) { saw.push_back(at); });
  failed_ = shown_.failed();
  fail_with(turn, std::move(saw),
            {.error = shown_.preempted && profile_->handles_preemption ? ErrorClass::kPreemption
                                                                       : ErrorClass::kWorkerGroup,
             .cause = shown_.cause,
             .retry = RuleId::kPreemptionRetry,
             .raise = RuleId::kPreemptionRaise,
             .in_loop = false});
}

void RayTrain::begin_drain(Turn& turn, std::size_t begin) {
  drain_ = Drain{.detected_us = turn.batch.t_us,
                 .deadline_us = shown_.deadline_us,
                 .gone = {},
                 .preempted_death = false};
  Step& step = add_step(turn, RuleId::kPreemptingNotice, State::kPreempting);
  for_each_seen<PreemptionNotice>(turn.batch, begin, job_, epoch_,
                                  [&](Index at, const auto&) { step.saw.push_back(at); });
  step.rejected.push_back({"stop the workers", "they may finish, or report, before they go"});
  if (!shown_.failed().empty()) {
    step.rejected.push_back({"ask the failure policy", "the next poll shows the errors again"});
    again_ |= !shown_.preempted;
  }
  if (config_.relax_collectives_on_preemption) {
    relax_collectives(turn);
  }
}

void RayTrain::relax_collectives(Turn& turn) {
  const RankSet left = RankSet::range(0, workers_).without(shown_.announced);
  if (!left.contains(0)) {
    turn.decision.steps.back().rejected.push_back(
        {"relax the collectives", "rank 0, which alone says what they agree on, is to go"});
    return;
  }
  add_step(turn, RuleId::kPreemptingRelax, state_);
  required_ = left;
  again_ |= reports() == Checkpoints::Head::kComplete;
}

void RayTrain::judge_drain(Turn& turn, std::size_t begin, bool all_stopped) {
  AFTERSHOCK_ASSERT(drain_);
  if (!shown_.failed().empty() && !shown_.preempted) {
    fail_with_shown(turn, begin);
    return;
  }
  std::vector<Index> notices;
  for_each_seen<PreemptionNotice>(turn.batch, begin, job_, epoch_,
                                  [&](Index at, const auto&) { notices.push_back(at); });
  // A notice may have come between two polls.
  const bool merges = drain_->deadline_us != shown_.deadline_us || !notices.empty();
  if (merges && somebody_answers()) {
    drain_->deadline_us = shown_.deadline_us;
    add_step(turn, RuleId::kPreemptingMerge, state_).saw = std::move(notices);
  }
  std::vector<Index> deaths;
  for_each_seen<WorkersFailed>(turn.batch, begin, job_, epoch_,
                               [&](Index at, const auto&) { deaths.push_back(at); });
  if (!deaths.empty()) {
    Step& step = add_step(turn, RuleId::kPreemptingDeath, state_);
    step.saw = std::move(deaths);
    step.rejected.push_back({"charge max_failures", "a preempted worker is among the dead"});
  }
  if (!all_stopped && turn.batch.t_us < drain_deadline()) {
    return;
  }
  fail_with(turn, {},
            {.error = ErrorClass::kPreemption,
             .cause = ChargeCause::kPreemption,
             .retry = RuleId::kPreemptionRetry,
             .raise = RuleId::kPreemptionRaise,
             .in_loop = false});
}

}  // namespace aftershock::policies::ray_train
