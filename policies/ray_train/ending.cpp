// The handling of an error, and the end of a run.

#include <utility>

#include "base/assert.h"
#include "policies/ray_train/controller.h"

namespace aftershock::policies::ray_train {
namespace {

constexpr std::string_view kRaise = "RAISE";

constexpr std::uint16_t budget_index(Budget budget) { return static_cast<std::uint16_t>(budget); }

}  // namespace

Ruling RayTrain::rule_of_version(const Failure& failure) {
  if (!profile_->limits_start_failures && failure.error == ErrorClass::kRetryableController) {
    return {.verdict = Verdict::kRetry, .budget = {}, .used = 0, .limit = {}};
  }
  return rule_on(counters_, failure.error);
}

void RayTrain::add_moves(Step& step, const Failure& failure, const Ruling& ruling) const {
  if (!ruling.budget) {
    return;
  }
  step.budgets.push_back({.budget = budget_index(*ruling.budget),
                          .cause = failure.cause,
                          .used = ruling.used,
                          .limit = ruling.limit,
                          .exempt = false,
                          .exhausted = ruling.verdict == Verdict::kRaise});
  if (failure.error == ErrorClass::kPreemption) {
    step.budgets.push_back({.budget = budget_index(Budget::kMaxFailures),
                            .cause = failure.cause,
                            .used = counters_.worker_group.used,
                            .limit = counters_.worker_group.limit(),
                            .exempt = true,
                            .exhausted = false});
    step.rejected.push_back(
        {"charge max_failures", "a preemption has a budget of its own in this version"});
  } else if (failure.error == ErrorClass::kWorkerGroup &&
             failure.cause == ChargeCause::kPreemption) {
    step.rejected.push_back(
        {"exempt the preemption", "this profile charges a preempted node to max_failures"});
  }
}

bool RayTrain::escapes(const Failure& failure) const {
  if (profile_->catches_own_errors) {
    return false;
  }
  if (!profile_->limits_start_failures && failure.error == ErrorClass::kOtherController) {
    return true;
  }
  // While nodes are waited for the loop calls hooks alone, which are caught one by one.
  const bool waits = state_ == State::kInitializing || state_ == State::kRestarting ||
                     state_ == State::kRescheduling;
  const bool caught = polls() || waits || group_ == Group::kStarting || releasing_;
  return failure.in_loop && !(profile_->catches_poll_errors && caught);
}

void RayTrain::fail_with(Turn& turn, std::vector<Index> saw, const Failure& failure) {
  if (escapes(failure)) {
    const bool unnamed = failure.not_retryable == RuleId::kControllerErrorNotRetryable;
    const RuleId any = profile_->catches_poll_errors ? RuleId::kControllerErrorEscapes255
                                                     : RuleId::kControllerErrorEscapes;
    const RuleId rule = unnamed ? any : failure.not_retryable;
    end_process(turn, std::move(saw), rule, text_of({std::nullopt, rule}));
    return;
  }
  const Ruling ruling = rule_of_version(failure);
  const bool state_can_retry =
      state_ == State::kRunning || state_ == State::kScheduling || state_ == State::kPreempting;
  const bool retry = ruling.verdict == Verdict::kRetry && state_can_retry;
  const bool workers = failure.error == ErrorClass::kWorkerGroup;
  if (!state_can_retry && ruling.verdict == Verdict::kRetry && !profile_->catches_own_errors) {
    const RuleId rule = RuleId::kControllerErrorAsserts;
    end_process(turn, std::move(saw), rule, text_of({std::nullopt, rule}));
    Step& step = turn.decision.steps.back();
    step.decision = profile_->retry_word;
    add_moves(step, failure, ruling);
    return;
  }

  RuleId rule = failure.not_retryable;
  Rejected other{profile_->retry_word, "this error is not retryable and touches no budget"};
  if (retry && !ruling.budget) {
    rule = RuleId::kStartRetryUncounted;
    other = {kRaise, "this version counts no failed starts"};
  } else if (retry) {
    rule = workers ? RuleId::kFailureRetry : failure.retry;
    other = {kRaise, ruling.limit ? "the budget is not used up" : "the budget is unlimited"};
  } else if (ruling.verdict == Verdict::kRetry) {
    rule = RuleId::kControllerErrorWrongState;
    other.why = "only a controller that runs, drains or schedules can retry";
  } else if (ruling.budget) {
    rule = workers ? RuleId::kFailureRaise : failure.raise;
    other.why = "the budget is used up";
  }
  State to = profile_->has_shutting_down ? State::kShuttingDown : State::kErrored;
  if (retry) {
    to = state_ == State::kScheduling ? State::kRescheduling : State::kRestarting;
  }
  drain_.reset();
  Step& step = add_step(turn, rule, to);
  step.saw = std::move(saw);
  step.rejected.push_back(other);
  if (rule != RuleId::kStartRetryUncounted) {
    step.decision = ruling.verdict == Verdict::kRetry ? profile_->retry_word : kRaise;
  }
  add_moves(step, failure, ruling);
  if (retry) {
    schedule(turn, {});
    return;
  }
  const bool exhausted = ruling.budget && ruling.verdict == Verdict::kRaise;
  shutdown_reason_ = Reason{exhausted ? ruling.budget : std::nullopt, rule};
  shut_down(turn);
}

bool RayTrain::group_lives() const {
  return group_ == Group::kStarting || group_ == Group::kRunning;
}

void RayTrain::end_process(Turn& turn, std::vector<Index> saw, RuleId rule, std::string reason) {
  Step& step = add_step(turn, rule, state_);
  step.saw = std::move(saw);
  step.rejected.push_back(
      {"shut the workers down in order", "they die with the process that started them"});
  if (group_lives()) {
    stop_command_ = ++last_command_;
    step.commands.emplace_back(StopWorkers{stop_command_, job_, epoch_, 0});
  }
  step.commands.emplace_back(Fail{++last_command_, job_, std::move(reason)});
  driver_gone_ = true;
}

void RayTrain::shut_down(Turn& turn) {
  AFTERSHOCK_ASSERT(state_ == State::kShuttingDown || ends_in_terminal_state());
  hook_failed_ = false;
  if (group_ == Group::kNone && ends_in_terminal_state() && shutdown_reason_) {
    turn.decision.steps.back().commands.emplace_back(
        Fail{++last_command_, job_, text_of(*shutdown_reason_)});
  } else if (group_ == Group::kNone) {
    end_run(turn, {}, false);
  } else {
    stop_group(turn);
  }
}

// run() shuts the group down after its loop, and fit() raises what that raises.
bool RayTrain::ends_in_terminal_state() const {
  return !profile_->has_shutting_down && !driver_gone_ &&
         (state_ == State::kFinished || state_ == State::kErrored);
}

void RayTrain::end_run(Turn& turn, std::vector<Index> saw, bool shutdown_failed) {
  const bool finished = !shutdown_reason_.has_value();
  if (state_ == State::kShuttingDown && !profile_->catches_own_errors &&
      (shutdown_failed || hook_failed_)) {
    Step& step = add_step(turn, RuleId::kShutdownEscapes, state_);
    step.saw = std::move(saw);
    if (!finished) {
      step.rejected.push_back(
          {"end with the original error", "fit() fails with what leaves run()"});
    }
    step.commands.emplace_back(
        Fail{++last_command_, job_, text_of({std::nullopt, RuleId::kShutdownEscapes})});
    driver_gone_ = true;
    return;
  }
  if (finished && !shutdown_failed && !hook_failed_) {
    Step& step = add_step(turn, RuleId::kShutdownFinished, State::kFinished);
    step.saw = std::move(saw);
    step.commands.emplace_back(Complete{++last_command_, job_});
    return;
  }
  RuleId rule = index_of(RuleId::kShutdownErrored) == kNoIndex ? RuleId::kShutdownErrored255
                                                               : RuleId::kShutdownErrored;
  if (finished) {
    rule = shutdown_failed ? RuleId::kShutdownFailed : RuleId::kShutdownHookFailed;
  }
  Step& step = add_step(turn, rule, profile_->has_shutting_down ? State::kErrored : state_);
  step.saw = std::move(saw);
  if (!finished && (shutdown_failed || hook_failed_)) {
    step.rejected.push_back({"end with the shutdown's error", "the original error is kept"});
  }
  step.commands.emplace_back(
      Fail{++last_command_, job_, text_of(finished ? Reason{{}, rule} : *shutdown_reason_)});
}

std::string RayTrain::text_of(const Reason& reason) const {
  const std::string_view name = reason.budget ? info().budgets[budget_index(*reason.budget)]
                                              : info().rules[index_of(reason.rule)].id;
  std::string text = reason.budget ? "exhausted(" : "gave_up(";
  text += name;
  text += ')';
  return text;
}

}  // namespace aftershock::policies::ray_train
