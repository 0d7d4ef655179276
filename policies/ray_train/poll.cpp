// One look of the controller at its running group: reports first, then failures, then the finish.
// The order is Ray's; it decides what a worker that fails right after its report loses.

#include <utility>

#include "policies/ray_train/classify.h"
#include "policies/ray_train/controller.h"
#include "policies/ray_train/seen.h"

namespace aftershock::policies::ray_train {
bool RayTrain::is_poll(const Turn& turn) const {
  if (polls_at_once_ || turn.poll_begins || turn.woken || turn.batch.events.empty()) {
    return true;
  }
  // Other events may share the tick at which we asked to be woken.
  const DurationUs since_anchor = turn.batch.t_us - anchor_us_;
  const bool asked = again_ || drain_ || would_resize();
  return asked && since_anchor % config_.health_check_interval_us == 0;
}

void RayTrain::drop_poll(Turn& turn) {
  const auto drop = [&](Index at, const auto&) { turn.not_current.push_back(at); };
  for_each_seen<CheckpointReported>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
  for_each_seen<WorkersFailed>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
  for_each_seen<WorkersFinished>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
  for_each_seen<PollUnanswered>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
  if (watches_drain()) {
    for_each_seen<PreemptionNotice>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
  }
}

void RayTrain::look(Turn& turn) {
  if (!polls()) {
    // Something earlier in the batch ended the group, and what this poll showed goes with it.
    if (turn.poll_begins) {
      drop_poll(turn);
    }
    return;
  }
  if (!is_poll(turn)) {
    return;
  }
  const std::size_t begin = turn.poll_begins.value_or(turn.batch.events.size());
  const bool handed_over = hand_over(turn, begin);
  for_each_seen<WorkersFinished>(
      turn.batch, begin, job_, epoch_,
      [&](Index, const WorkersFinished& seen) { finished_.add(seen.ranks); });
  if (profile_->shows_again) {
    remember(turn, begin);
  }
  if (!poll_is_due(turn.batch.t_us)) {
    again_ |= turn.poll_begins.has_value();
    return;
  }
  take_reports(turn, begin);
  if (!polls()) {
    return;
  }
  again_ = reports() == Checkpoints::Head::kComplete;
  if (profile_->shows_again) {
    judge(turn, begin, handed_over);
    return;
  }
  Failed failed = failures(turn, begin);
  if (profile_->handles_preemption && act_on_preemption(turn, begin, failed)) {
    return;
  }
  if (act_on_failures(turn, std::move(failed))) {
    return;
  }
  act_on_finish(turn, begin);
  if (state_ == State::kRunning) {
    consider_resize(turn);
  }
}

bool RayTrain::hand_over(const Turn& turn, std::size_t begin) {
  bool any = false;
  for_each_seen<CheckpointReported>(
      turn.batch, begin, job_, epoch_, [&](Index, const CheckpointReported& seen) {
        checkpoints_.report(seen.checkpoint, seen.ranks, seen.score_e6);
        any = true;
      });
  return any;
}

Checkpoints::Head RayTrain::reports() const {
  return required_ ? checkpoints_.head(*required_) : checkpoints_.head(workers_);
}

void RayTrain::take_reports(Turn& turn, std::size_t begin) {
  switch (reports()) {
    case Checkpoints::Head::kIncomplete:
      return;
    case Checkpoints::Head::kComplete:
      // One set a poll, even if a host tells of one poll in two batches.
      if (last_commit_us_ != turn.batch.t_us) {
        commit(turn);
      }
      return;
    case Checkpoints::Head::kMixed: {
      std::vector<Index> saw;
      for_each_seen<CheckpointReported>(turn.batch, begin, job_, epoch_,
                                        [&](Index at, const auto&) { saw.push_back(at); });
      fail_with(turn, std::move(saw), {.not_retryable = RuleId::kCheckpointMixed});
      return;
    }
  }
}

void RayTrain::commit(Turn& turn) {
  DeleteCheckpoints eviction;
  const CheckpointId checkpoint = checkpoints_.commit(eviction.checkpoints);
  last_commit_us_ = turn.batch.t_us;
  Step& step = add_step(turn, RuleId::kCheckpointCommit, state_);
  for_each_seen<CheckpointReported>(turn.batch, turn.poll_begins.value_or(turn.batch.events.size()),
                                    job_, epoch_, [&](Index at, const CheckpointReported& seen) {
                                      if (seen.checkpoint == checkpoint) {
                                        step.saw.push_back(at);
                                      }
                                    });
  step.commands.reserve(eviction.checkpoints.empty() ? 2 : 3);
  step.commands.emplace_back(CommitCheckpoint{++last_command_, job_, checkpoint});
  persist_command_ = ++last_command_;
  step.commands.emplace_back(Persist{persist_command_, job_});
  // Only now: a snapshot must never name what is already deleted.
  if (!eviction.checkpoints.empty()) {
    eviction.id = ++last_command_;
    eviction.job = job_;
    step.commands.emplace_back(std::move(eviction));
  }
}

RayTrain::Failed RayTrain::failures(const Turn& turn, std::size_t begin) const {
  // However many ranks failed in whatever ways, one poll makes one error.
  Failed failed;
  for_each_seen<WorkersFailed>(turn.batch, begin, job_, epoch_,
                               [&](Index at, const WorkersFailed& seen) {
                                 failed.saw.push_back(at);
                                 failed.ranks.add(seen.ranks);
                                 failed.preempted |= seen.preempted;
                                 failed.cause = stronger_cause(failed.cause, charge_cause(seen));
                               });
  for_each_seen<PollUnanswered>(turn.batch, begin, job_, epoch_,
                                [&](Index at, const PollUnanswered& seen) {
                                  failed.saw.push_back(at);
                                  failed.ranks.add(seen.ranks);
                                  failed.cause = stronger_cause(failed.cause, ChargeCause::kNode);
                                });
  return failed;
}

bool RayTrain::act_on_failures(Turn& turn, Failed failed) {
  if (failed.saw.empty()) {
    return false;
  }
  failed_ = std::move(failed.ranks);
  const bool preemption = profile_->handles_preemption && failed.preempted;
  fail_with(turn, std::move(failed.saw),
            {.error = preemption ? ErrorClass::kPreemption : ErrorClass::kWorkerGroup,
             .cause = failed.cause,
             .retry = RuleId::kPreemptionRetry,
             .raise = RuleId::kPreemptionRaise,
             .in_loop = false});
  return true;
}

void RayTrain::act_on_finish(Turn& turn, std::size_t begin) {
  // A worker that has just handed over a report still counts as running: the finish waits for the
  // queue.
  if (again_ || !covers(finished_, workers_)) {
    return;
  }
  std::vector<Index> saw;
  for_each_seen<WorkersFinished>(turn.batch, begin, job_, epoch_,
                                 [&](Index at, const WorkersFinished&) { saw.push_back(at); });
  shutdown_reason_.reset();
  drain_.reset();
  const State to = profile_->has_shutting_down ? State::kShuttingDown : State::kFinished;
  add_step(turn, RuleId::kFinishAllRanks, to).saw = std::move(saw);
  shut_down(turn);
}

}  // namespace aftershock::policies::ray_train
