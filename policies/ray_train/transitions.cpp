// How the controller moves between its states.

#include <utility>

#include "policies/api/assert.h"
#include "policies/ray_train/controller.h"

namespace aftershock::policies::ray_train {
namespace {

constexpr std::uint16_t index_of(State state) { return static_cast<std::uint16_t>(state); }
constexpr std::uint16_t index_of(RuleId rule) { return static_cast<std::uint16_t>(rule); }
constexpr std::uint16_t index_of(Budget budget) { return static_cast<std::uint16_t>(budget); }

/// The answer that the failure policy did not give, and why not.
Rejected alternative(const Ruling& ruling, bool state_can_retry) {
  if (ruling.verdict == Verdict::kRetry) {
    if (!state_can_retry) {
      return {"retry", "only a running or a scheduling controller can retry"};
    }
    return {"raise", ruling.limit ? "the budget is not used up" : "the budget is unlimited"};
  }
  return {"retry", ruling.budget ? "the budget is used up" : "this error is not retryable"};
}

}  // namespace

Step& RayTrain::add_step(Turn& turn, RuleId rule, State to) {
  Step& step = turn.decision.steps.emplace_back();
  step.rule = index_of(rule);
  step.from_state = index_of(state_);
  step.to_state = index_of(to);
  state_ = to;
  return step;
}

void RayTrain::add_not_current(Turn& turn) {
  if (!is_terminal(state_)) {
    add_step(turn, RuleId::kEventNotCurrent, state_).saw = std::move(turn.not_current);
  }
}

void RayTrain::fail_with(Turn& turn, std::vector<Index> saw, const Failure& failure) {
  const bool state_can_retry = state_ == State::kRunning || state_ == State::kScheduling;
  const Ruling ruling = rule_on(counters_, failure.error);
  const bool retry = ruling.verdict == Verdict::kRetry && state_can_retry;
  const bool workers = failure.error == ErrorClass::kWorkerGroup;

  RuleId rule = failure.not_retryable;
  if (retry) {
    rule = workers ? RuleId::kFailureRetry : failure.retry;
  } else if (ruling.verdict == Verdict::kRetry) {
    rule = RuleId::kControllerErrorWrongState;
  } else if (ruling.budget) {
    rule = workers ? RuleId::kFailureRaise : failure.raise;
  }
  const State retry_state = state_ == State::kRunning ? State::kRestarting : State::kRescheduling;
  Step& step = add_step(turn, rule, retry ? retry_state : State::kShuttingDown);
  step.saw = std::move(saw);
  const bool exhausted = ruling.budget && ruling.verdict == Verdict::kRaise;
  if (ruling.budget) {
    step.budgets.push_back({.budget = index_of(*ruling.budget),
                            .cause = failure.cause,
                            .used = ruling.used,
                            .limit = ruling.limit,
                            .exempt = false,
                            .exhausted = exhausted});
  }
  step.rejected.push_back(alternative(ruling, state_can_retry));
  if (workers && failure.cause == ChargeCause::kPreemption) {
    step.rejected.push_back(
        {"exempt the preemption", "this profile charges a preempted node to max_failures"});
  }
  if (retry) {
    schedule(turn, {});
    return;
  }
  shutdown_reason_ = Reason{exhausted ? ruling.budget : std::nullopt, rule};
  shut_down(turn);
}

void RayTrain::schedule(Turn& turn, std::vector<Index> saw) {
  const bool restart = state_ == State::kRestarting;
  const bool new_attempt = restart || state_ == State::kInitializing;
  attempt_id_ += new_attempt ? 1 : 0;
  Step& step =
      add_step(turn, new_attempt ? RuleId::kScheduleNewAttempt : RuleId::kScheduleSameAttempt,
               State::kScheduling);
  step.saw = std::move(saw);
  if (restart) {
    step.rejected.push_back({"resize", "fixed scaling always asks for the configured number"});
    step.rejected.push_back({"keep the surviving workers", "a restart replaces the whole group"});
  }
  if (group_ == Group::kNone) {
    start_group(turn);
  } else {
    stop_group(turn);
  }
}

void RayTrain::start_group(Turn& turn) {
  AFTERSHOCK_ASSERT(state_ == State::kScheduling && group_ == Group::kNone);
  const auto& jobs = turn.view.inventory().jobs;
  const std::uint32_t max_workers = job_ < jobs.size() ? jobs[job_].max_workers : 0;
  if (max_workers > 0 && workers_ > max_workers) {
    fail_with(turn, {}, {.not_retryable = RuleId::kStartInsufficientCluster});
    return;
  }
  group_ = Group::kStarting;
  ++epoch_;
  start_command_ = ++last_command_;
  turn.decision.steps.back().commands.emplace_back(
      StartAttempt{.id = start_command_,
                   .job = job_,
                   .epoch = epoch_,
                   .workers = workers_,
                   .placement_wait_us = config_.worker_group_start_timeout_us,
                   .from = checkpoints_.latest()});
}

void RayTrain::stop_group(Turn& turn) {
  if (group_ == Group::kStopping) {
    return;
  }
  AFTERSHOCK_ASSERT(group_ != Group::kNone);
  group_ = Group::kStopping;
  stop_command_ = ++last_command_;
  turn.decision.steps.back().commands.emplace_back(
      StopWorkers{stop_command_, job_, epoch_, profile_->shutdown_grace_us});
  finished_ = {};
  again_ = false;
  if (checkpoints_.discard_reports()) {
    add_step(turn, RuleId::kCheckpointDiscarded, state_);
  }
}

void RayTrain::group_stopped(Turn& turn, Index at, const std::string& error) {
  group_ = Group::kNone;
  if (state_ == State::kShuttingDown) {
    end_run(turn, {at}, !error.empty());
    return;
  }
  AFTERSHOCK_ASSERT(state_ == State::kScheduling);
  if (!error.empty()) {
    fail_with(turn, {at}, {});
    return;
  }
  add_step(turn, RuleId::kStartAfterTeardown, state_).saw = {at};
  start_group(turn);
}

void RayTrain::shut_down(Turn& turn) {
  AFTERSHOCK_ASSERT(state_ == State::kShuttingDown);
  hook_failed_ = false;
  if (group_ == Group::kNone) {
    end_run(turn, {}, false);
  } else {
    stop_group(turn);
  }
}

void RayTrain::end_run(Turn& turn, std::vector<Index> saw, bool shutdown_failed) {
  const bool finished = !shutdown_reason_.has_value();
  if (finished && !shutdown_failed && !hook_failed_) {
    Step& step = add_step(turn, RuleId::kShutdownFinished, State::kFinished);
    step.saw = std::move(saw);
    step.commands.emplace_back(Complete{++last_command_, job_});
    return;
  }
  RuleId rule = RuleId::kShutdownErrored;
  if (finished) {
    rule = shutdown_failed ? RuleId::kShutdownFailed : RuleId::kShutdownHookFailed;
  }
  Step& step = add_step(turn, rule, State::kErrored);
  step.saw = std::move(saw);
  if (!finished && (shutdown_failed || hook_failed_)) {
    step.rejected.push_back({"end with the shutdown's error", "the original error is kept"});
  }
  step.commands.emplace_back(
      Fail{++last_command_, job_, text_of(finished ? Reason{{}, rule} : *shutdown_reason_)});
}

std::string RayTrain::text_of(const Reason& reason) const {
  const std::string_view name = reason.budget ? info_->budgets[index_of(*reason.budget)]
                                              : info_->rules[index_of(reason.rule)].id;
  std::string text = reason.budget ? "exhausted(" : "gave_up(";
  text += name;
  text += ')';
  return text;
}

}  // namespace aftershock::policies::ray_train
