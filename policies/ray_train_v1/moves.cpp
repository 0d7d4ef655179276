// How the run moves between its states.

#include <algorithm>
#include <utility>

#include "policies/ray_train_v1/trainer.h"

namespace aftershock::policies::ray_train_v1 {
namespace {

using ray_tune::Counted;
using ray_tune::FailFast;
using ray_tune::TrialStatus;

bool covers(const RankSet& ranks, std::uint32_t workers) {
  return workers == 0 || ranks.size() >= workers;
}

// The wait for the actors' ends is for 5 s, but asks for one end only. With several workers one
// ends at once, or has ended already, and the others are killed; a single one has the 5 s.
DurationUs stop_grace_us(std::uint32_t workers) { return workers > 1 ? 0 : 5 * kSecondUs; }

}  // namespace

Step& RayTrainV1::add_step(Turn& turn, RuleId rule, State to) {
  Step& step = turn.decision.steps.emplace_back();
  step.rule = static_cast<std::uint16_t>(rule);
  step.from_state = static_cast<std::uint16_t>(state_);
  step.to_state = static_cast<std::uint16_t>(to);
  state_ = to;
  return step;
}

void RayTrainV1::set_status(TrialStatus status) {
  trials_.front().status = status;
  snapshots_.changed(0);
}

std::string RayTrainV1::gave_up(RuleId rule) const {
  std::string reason = "gave_up(";
  reason += info_->rules[static_cast<std::size_t>(rule)].id;
  return reason + ')';
}

void RayTrainV1::fail(Turn& turn, Index at, const ray_tune::TrialFailure& failure) {
  if (config_.failure.fail_fast == FailFast::kRaise) {
    Step& step = add_step(turn, RuleId::kFailFastRaise, State::kRaised);
    step.saw = {at};
    step.commands.emplace_back(Fail{++last_command_, job_, gave_up(RuleId::kFailFastRaise)});
    snapshots_.stop();
    return;
  }
  ray_tune::Trial& trial = trials_.front();
  const Counted counted = ray_tune::count_failure(config_.failure.rules, failure, trial.counts);
  const bool free = counted == Counted::kFreePreemption;
  const bool recovers = ray_tune::may_recover(trial.counts, trial.max_failures);
  RuleId rule = free ? RuleId::kRetryPreempted : RuleId::kRetry;
  if (!recovers) {
    rule = RuleId::kError;
  }
  Step& step = add_step(turn, rule, recovers ? State::kPending : State::kStopping);
  step.saw = {at};
  step.budgets.push_back({.budget = 0,
                          .cause = ray_tune::charge_cause(failure),
                          .used = trial.counts.num_failures,
                          .limit = ray_tune::failure_limit(trial.max_failures),
                          .exempt = free,
                          .exhausted = !recovers});
  if (recovers) {
    step.rejected.push_back({"keep the surviving workers", "a retry replaces the whole group"});
  }
  end_ = End::kExhausted;
  set_status(recovers ? TrialStatus::kPending : TrialStatus::kError);
  if (recovers && config_.failure.fail_fast == FailFast::kStop) {
    end_ = End::kFailFast;
    set_status(TrialStatus::kTerminated);
    add_step(turn, RuleId::kFailFastStop, State::kStopping).saw = {at};
  }
  stop_group(turn);
}

void RayTrainV1::start_attempt(Turn& turn) {
  group_ = Group::kStarting;
  ++epoch_;
  finished_ = {};
  reported_.clear();
  const auto checkpoint = trials_.front().checkpoint;
  from_checkpoint_ = checkpoint.has_value();
  start_command_ = ++last_command_;
  // TRAIN_PLACEMENT_GROUP_TIMEOUT_S (100 s) limits the wait for a group that Train makes itself,
  // and it makes one only where no trial has: never under fit().
  add_step(turn, RuleId::kAttempt, state_)
      .commands.emplace_back(StartAttempt{.id = start_command_,
                                          .job = job_,
                                          .epoch = epoch_,
                                          .workers = workers_,
                                          .from = checkpoint});
}

void RayTrainV1::stop_group(Turn& turn) {
  if (group_ == Group::kNone) {
    group_gone(turn);
    return;
  }
  group_ = Group::kStopping;
  stop_command_ = ++last_command_;
  turn.decision.steps.back().commands.emplace_back(
      StopWorkers{stop_command_, job_, epoch_, stop_grace_us(workers_)});
}

void RayTrainV1::group_gone(Turn& turn) {
  group_ = Group::kNone;
  if (state_ == State::kStopping) {
    end_run(turn);
  } else {
    start_attempt(turn);
  }
}

void RayTrainV1::commit(Turn& turn, Index at, CheckpointId checkpoint) {
  ray_tune::Trial& trial = trials_.front();
  ++trial.iteration;
  trial.last_result_us = turn.batch.t_us;
  auto dropped = ray_tune::register_checkpoint(trial, checkpoint, config_.num_to_keep);
  snapshots_.checkpointed(0, turn.batch.t_us);
  Step& step = add_step(turn, RuleId::kCheckpointCommit, state_);
  step.saw = {at};
  step.commands.emplace_back(CommitCheckpoint{++last_command_, job_, checkpoint});
  if (!dropped.empty()) {
    step.commands.emplace_back(DeleteCheckpoints{++last_command_, job_, std::move(dropped)});
  }
}

void RayTrainV1::settle(Turn& turn) {
  if (group_ != Group::kRunning || turn.results.empty() || finished_.empty()) {
    return;
  }
  if (reported_.empty()) {
    if (covers(finished_, workers_)) {
      end_ = End::kFinished;
      add_step(turn, RuleId::kFinishAllRanks, State::kStopping).saw = turn.results;
      stop_group(turn);
    }
    return;
  }
  RankSet answered = finished_;
  for (const Reported& entry : reported_) {
    answered.add(entry.ranks);
  }
  if (covers(answered, workers_)) {
    const Index at = turn.results.back();
    add_step(turn, RuleId::kReportsUneven, state_).saw = turn.results;
    fail(turn, at, {.kind = WorkerFailure::kException, .error = "RuntimeError"});
  }
}

void RayTrainV1::persist(Step& step, TimeUs at_us) {
  snapshots_.force(at_us);
  step.commands.emplace_back(Persist{++last_command_, job_});
}

void RayTrainV1::end_run(Turn& turn) {
  if (end_ == End::kFinished) {
    set_status(TrialStatus::kTerminated);
  }
  Step& step =
      add_step(turn, RuleId::kEnded, end_ == End::kExhausted ? State::kError : State::kTerminated);
  persist(step, turn.batch.t_us);
  switch (end_) {
    case End::kFinished:
      step.commands.emplace_back(Complete{++last_command_, job_});
      return;
    case End::kExhausted:
      step.commands.emplace_back(Fail{++last_command_, job_, "exhausted(max_failures)"});
      return;
    case End::kFailFast:
      // fit() returns as if all were well, but the job has not done its work.
      step.commands.emplace_back(Fail{++last_command_, job_, gave_up(RuleId::kFailFastStop)});
      return;
  }
}

}  // namespace aftershock::policies::ray_train_v1
