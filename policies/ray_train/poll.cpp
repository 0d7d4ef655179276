// What the controller does with one look at its running group: reports first, then failures, then
// the finish. The order is Ray's; it decides what a worker that fails right after its report loses.

#include <utility>

#include "policies/ray_train/classify.h"
#include "policies/ray_train/controller.h"

namespace aftershock::policies::ray_train {
namespace {

/// Calls `look` with position and content of every event of type `Seen` of this group from `begin`
/// on.
template <class Seen, class Look>
void for_each_seen(const Batch& batch, std::size_t begin, JobId job, Epoch epoch, Look look) {
  for (std::size_t at = begin; at < batch.events.size(); ++at) {
    const auto* seen = std::get_if<Seen>(&batch.events[at]);
    if (seen != nullptr && seen->job == job && seen->epoch == epoch) {
      look(static_cast<std::uint16_t>(at), *seen);
    }
  }
}

}  // namespace

bool RayTrain::polled(const Turn& turn) const {
  if (turn.poll_begins || turn.batch.events.empty()) {
    return true;
  }
  // Other events may share the tick at which we asked to be woken.
  const DurationUs since_anchor = turn.batch.t_us - anchor_us_;
  return again_ && since_anchor % config_.health_check_interval_us == 0;
}

void RayTrain::look(Turn& turn) {
  if (group_ != Group::kRunning) {
    // Something earlier in the batch ended the group, and what this poll showed goes with it.
    if (turn.poll_begins) {
      const auto drop = [&](Index at, const auto&) { turn.not_current.push_back(at); };
      for_each_seen<CheckpointReported>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
      for_each_seen<WorkersFailed>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
      for_each_seen<WorkersFinished>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
      for_each_seen<PollUnanswered>(turn.batch, *turn.poll_begins, job_, epoch_, drop);
    }
    return;
  }
  if (!polled(turn)) {
    return;
  }
  const std::size_t begin = turn.poll_begins.value_or(turn.batch.events.size());
  take_reports(turn, begin);
  if (state_ != State::kRunning || act_on_failures(turn, begin)) {
    return;
  }
  again_ = checkpoints_.head(workers_) == Checkpoints::Head::kComplete;
  act_on_finish(turn, begin);
}

void RayTrain::take_reports(Turn& turn, std::size_t begin) {
  for_each_seen<CheckpointReported>(turn.batch, begin, job_, epoch_,
                                    [&](Index, const CheckpointReported& seen) {
                                      checkpoints_.report(seen.checkpoint, seen.ranks);
                                    });
  switch (checkpoints_.head(workers_)) {
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
  step.commands.reserve(3);
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

bool RayTrain::act_on_failures(Turn& turn, std::size_t begin) {
  // However many ranks failed in whatever ways, one poll makes one error.
  std::vector<Index> saw;
  ChargeCause cause = ChargeCause::kApplication;
  for_each_seen<WorkersFailed>(turn.batch, begin, job_, epoch_,
                               [&](Index at, const WorkersFailed& seen) {
                                 saw.push_back(at);
                                 cause = stronger_cause(cause, charge_cause(seen));
                               });
  for_each_seen<PollUnanswered>(turn.batch, begin, job_, epoch_,
                                [&](Index at, const PollUnanswered&) {
                                  saw.push_back(at);
                                  cause = stronger_cause(cause, ChargeCause::kNode);
                                });
  if (saw.empty()) {
    return false;
  }
  fail_with(turn, std::move(saw), {.error = ErrorClass::kWorkerGroup, .cause = cause});
  return true;
}

void RayTrain::act_on_finish(Turn& turn, std::size_t begin) {
  std::vector<Index> saw;
  for_each_seen<WorkersFinished>(turn.batch, begin, job_, epoch_,
                                 [&](Index at, const WorkersFinished& seen) {
                                   saw.push_back(at);
                                   finished_.add(seen.ranks);
                                 });
  // A worker that has just handed over a report still counts as running: the finish waits for the
  // queue.
  if (again_ || !covers(finished_, workers_)) {
    return;
  }
  shutdown_reason_.reset();
  add_step(turn, RuleId::kFinishAllRanks, State::kShuttingDown).saw = std::move(saw);
  shut_down(turn);
}

}  // namespace aftershock::policies::ray_train
