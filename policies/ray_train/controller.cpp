#include "policies/ray_train/controller.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/assert.h"
#include "policies/ray_train/classify.h"

namespace aftershock::policies::ray_train {

RayTrain::RayTrain(const Profile& profile, const Config& config)
    : profile_(&profile),
      info_(&policy_info(profile)),
      config_(config),
      counters_{{config.max_failures, 0}, {config.controller_failure_limit, 0}},
      checkpoints_(config.num_to_keep) {}

nlohmann::json RayTrain::durable(TimeUs /*at_us*/) const {
  return checkpoints_.snapshot(profile_->ray_version);
}

std::vector<BudgetState> RayTrain::budgets() const {
  return {{counters_.worker_group.used, counters_.worker_group.limit()},
          {counters_.controller.used, counters_.controller.limit()}};
}

std::unique_ptr<Policy> RayTrain::clone() const { return std::make_unique<RayTrain>(*this); }

Decision RayTrain::on_events(const Batch& batch, const View& view) {
  Turn turn{batch, view, {}, {}, {}};
  if (is_terminal(state_)) {
    return std::move(turn.decision);
  }
  constexpr std::size_t kLastIndex = std::numeric_limits<Index>::max();
  for (std::size_t at = 0; at < batch.events.size() && !is_terminal(state_); ++at) {
    // A batch longer than an index reaches is acted on in full; only who saw what is blurred.
    const auto index = static_cast<Index>(std::min(at, kLastIndex));
    std::visit([&](const auto& event) { on(turn, index, event); }, batch.events[at]);
  }
  look(turn);
  if (!turn.not_current.empty()) {
    add_not_current(turn);
  }
  if (state_ == State::kRunning) {
    turn.decision.watch.poll =
        PollWatch{.epoch = epoch_,
                  .anchor_us = anchor_us_,
                  .period_us = config_.health_check_interval_us,
                  .answer_wait_us = config_.health_check_interval_us,
                  .unanswered_limit_us = config_.worker_health_check_timeout_us,
                  .again = again_};
  }
  return std::move(turn.decision);
}

bool RayTrain::is_current(JobId job, Epoch epoch) const {
  return job_known_ && job == job_ && epoch == epoch_;
}

void RayTrain::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (state_ != State::kInitializing || (job_known_ && submitted.job != job_)) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = submitted.job;
  job_known_ = true;
  workers_ = submitted.workers;
  schedule(turn, {at});
}

void RayTrain::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (state_ != State::kInitializing || job_known_) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = started.job;
  job_known_ = true;
  if (started.durable.empty()) {
    return;
  }
  if (checkpoints_.restore(started.durable)) {
    add_step(turn, RuleId::kSnapshotRestored, state_).saw = {at};
    return;
  }
  Step& step = add_step(turn, RuleId::kSnapshotUnreadable, State::kErrored);
  step.saw = {at};
  step.commands.emplace_back(
      Fail{++last_command_, job_, text_of({std::nullopt, RuleId::kSnapshotUnreadable})});
}

void RayTrain::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (group_ != Group::kStarting || !is_current(running.job, running.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  AFTERSHOCK_ASSERT(state_ == State::kScheduling);
  group_ = Group::kRunning;
  anchor_us_ = turn.batch.t_us;
  last_commit_us_.reset();
  again_ = false;
  add_step(turn, RuleId::kStartRunning, State::kRunning).saw = {at};
}

void RayTrain::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (group_ != Group::kStarting || !is_current(failed.job, failed.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  const StartError error = start_error(failed);
  if (!may_have_left_workers(failed.stage)) {
    group_ = Group::kNone;
  }
  fail_with(turn, {at},
            {.error = error_class(error),
             .cause = ChargeCause::kController,
             .retry = RuleId::kStartRetry,
             .raise = RuleId::kStartRaise,
             .not_retryable = error == StartError::kInsufficientCluster
                                  ? RuleId::kStartInsufficientCluster
                                  : RuleId::kStartNotRetryable});
}

void RayTrain::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  if (group_ != Group::kStopping || !is_current(stopped.job, stopped.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  group_stopped(turn, at, stopped.error);
}

void RayTrain::on(Turn& turn, Index at, const ControllerError& error) {
  if (job_known_ && error.job != job_) {
    turn.not_current.push_back(at);
    return;
  }
  if (state_ == State::kShuttingDown) {
    // The error of the shutdown itself may still come, and would be the one that counts.
    hook_failed_ = true;
    add_step(turn, RuleId::kShutdownHookError, state_).saw = {at};
    return;
  }
  fail_with(turn, {at}, {.error = error_class(error)});
}

void RayTrain::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error == CommandError::kNone) {
    return;
  }
  if (result.command == persist_command_) {
    if (state_ != State::kShuttingDown) {
      fail_with(turn, {at}, {.not_retryable = RuleId::kSnapshotUnwritable});
      return;
    }
  } else if (result.command == start_command_ && group_ == Group::kStarting) {
    if (result.definite) {
      group_ = Group::kNone;
    }
    fail_with(turn, {at}, {.not_retryable = RuleId::kStartNotRetryable});
    return;
  }
  add_step(turn, RuleId::kCommandFailed, state_).saw = {at};
  if (result.command == stop_command_ && group_ == Group::kStopping && result.definite &&
      result.error != CommandError::kUnreachable) {
    group_stopped(turn, at, {});  // there is nothing to stop
  }
}

void RayTrain::on(Turn& turn, Index at, const StopRequested& stop) {
  if (job_known_ && stop.job != job_) {
    turn.not_current.push_back(at);
    return;
  }
  if (stop.nth == 2) {
    add_step(turn, RuleId::kAbortSecond, state_).saw = {at};
    return;
  }
  const bool first = stop.nth < 2;
  Step& step = add_step(turn, first ? RuleId::kAbortFirst : RuleId::kAbortThird, State::kAborted);
  step.saw = {at};
  const bool lives = group_ == Group::kStarting || group_ == Group::kRunning;
  if (first && lives) {
    stop_command_ = ++last_command_;
    step.commands.emplace_back(
        StopWorkers{stop_command_, job_, epoch_, profile_->shutdown_grace_us});
  }
  step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
}

void RayTrain::on(Turn& turn, Index at, const HangSuspected& hang) {
  if (group_ != Group::kRunning || !is_current(hang.job, hang.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  Step& step = add_step(turn, RuleId::kHangNotWatched, state_);
  step.saw = {at};
  step.rejected.push_back({"restart", "the workers answer their polls"});
}

void RayTrain::on(Turn& turn, Index at, const PreemptionNotice&) {
  Step& step = add_step(turn, RuleId::kPreemptionIgnored, state_);
  step.saw = {at};
  step.rejected.push_back({"drain", "this profile has no preemption handling"});
}

template <class Seen>
void RayTrain::on_poll(Turn& turn, Index at, const Seen& seen) {
  if (group_ != Group::kRunning || !is_current(seen.job, seen.epoch)) {
    turn.not_current.push_back(at);
  } else if (!turn.poll_begins) {
    turn.poll_begins = at;
  }
}

}  // namespace aftershock::policies::ray_train
