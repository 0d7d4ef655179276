// How the controller moves between its states while the run goes on.

#include <utility>

#include "base/assert.h"
#include "policies/ray_train/controller.h"

namespace aftershock::policies::ray_train {

namespace {

// Most decisions have no more, and then their steps take their memory at once.
constexpr std::size_t kStepsOfARestart = 3;

}  // namespace

std::uint16_t RayTrain::index_of(State state) const {
  return words_->states[static_cast<std::size_t>(state)];
}

std::uint16_t RayTrain::index_of(RuleId rule) const {
  return words_->rules[static_cast<std::size_t>(rule)];
}

Step& RayTrain::add_step(Turn& turn, RuleId rule, State to) {
  if (turn.decision.steps.empty()) {
    turn.decision.steps.reserve(kStepsOfARestart);
  }
  Step& step = turn.decision.steps.emplace_back();
  step.rule = index_of(rule);
  step.from_state = index_of(state_);
  step.to_state = index_of(to);
  AFTERSHOCK_ASSERT(step.rule != kNoIndex && step.to_state != kNoIndex);
  state_ = to;
  return step;
}

void RayTrain::add_not_current(Turn& turn) {
  if (!ended()) {
    add_step(turn, RuleId::kEventNotCurrent, state_).saw = std::move(turn.not_current);
  }
}

void RayTrain::schedule(Turn& turn, std::vector<Index> saw) {
  const auto size = possible_size();
  if (!size) {
    wait_for_size(turn, std::move(saw));
    return;
  }
  target_workers_ = *size;
  const bool restart = state_ == State::kRestarting;
  const bool new_attempt = state_ != State::kRescheduling;
  attempt_id_ += new_attempt ? 1 : 0;
  if (can_replace()) {
    add_step(turn, RuleId::kReplicaReplace, State::kScheduling).saw = std::move(saw);
    replace_failed(turn);
    return;
  }
  Step& step =
      add_step(turn, new_attempt ? RuleId::kScheduleNewAttempt : RuleId::kScheduleSameAttempt,
               State::kScheduling);
  step.saw = std::move(saw);
  if (elastic_ && target_workers_ < most_workers_) {
    step.rejected.push_back({"wait for more workers", "as many as are possible now are enough"});
  }
  if (restart && !elastic_) {
    step.rejected.push_back({"resize", "fixed scaling always asks for the configured number"});
  }
  if (restart) {
    step.rejected.push_back(
        {"keep the surviving workers",
         config_.replica_groups
             ? "replacing needs some but not all of them failed, and the same size"
             : "a restart replaces the whole group"});
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
  if (profile_->checks_cluster_maximum && max_workers > 0 && target_workers_ > max_workers) {
    fail_with(turn, {}, {.not_retryable = RuleId::kStartInsufficientCluster, .in_loop = false});
    return;
  }
  group_ = Group::kStarting;
  replacing_ = false;
  releasing_ = false;
  finished_ = {};
  shown_ = {};
  required_.reset();
  hung_ = false;
  workers_ = target_workers_;
  stop_grace_us_ = profile_->shutdown_grace_us;
  ++epoch_;
  start_command_ = ++last_command_;
  turn.decision.steps.back().commands.emplace_back(
      StartAttempt{.id = start_command_,
                   .job = job_,
                   .epoch = epoch_,
                   .workers = workers_,
                   .placement_wait_us = config_.worker_group_start_timeout_us,
                   .from = checkpoints_.latest(),
                   .report_barrier_timeout_us = config_.report_barrier_timeout_us});
}

bool RayTrain::can_replace() const {
  return config_.replica_groups && state_ == State::kRestarting && group_ == Group::kRunning &&
         target_workers_ == workers_ && !failed_.empty() && failed_.size() < workers_;
}

void RayTrain::replace_failed(Turn& turn) {
  // The poll that shows an error considers nothing.
  considered_us_ =
      last_consideration(considerations(), turn.batch.t_us - 1).value_or(considered_us_);
  group_ = Group::kStarting;
  replacing_ = true;
  ++epoch_;
  start_command_ = ++last_command_;
  Step& step = turn.decision.steps.back();
  step.rejected.push_back({"restart the whole group", "the other replica groups still run"});
  step.commands.emplace_back(
      ReplaceWorkers{.id = start_command_,
                     .job = job_,
                     .epoch = epoch_,
                     .ranks = failed_,
                     .placement_wait_us = config_.worker_group_start_timeout_us});
  again_ = false;
  shown_ = {};
  hung_ = false;
  if (checkpoints_.discard_reports()) {
    add_step(turn, RuleId::kCheckpointDiscarded, state_);
  }
}

void RayTrain::stop_group(Turn& turn) {
  if (group_ == Group::kStopping) {
    return;
  }
  AFTERSHOCK_ASSERT(group_ != Group::kNone);
  releasing_ = group_ == Group::kStarting;
  group_ = Group::kStopping;
  stop_command_ = ++last_command_;
  turn.decision.steps.back().commands.emplace_back(
      StopWorkers{stop_command_, job_, epoch_, stop_grace_us_});
  finished_ = {};
  again_ = false;
  if (checkpoints_.discard_reports()) {
    add_step(turn, RuleId::kCheckpointDiscarded, state_);
  }
}

void RayTrain::group_stopped(Turn& turn, Index at, const std::string& error) {
  group_ = Group::kNone;
  if (aborting_) {
    end_abort(turn, at, !error.empty());
    return;
  }
  if (state_ == State::kShuttingDown || ends_in_terminal_state()) {
    end_run(turn, {at}, !error.empty());
    return;
  }
  if (!error.empty()) {
    // A shutdown that raises leaves the group with the controller, which shuts it down once more on
    // its way to the end (ray.md 1.5). Where nothing catches it the process ends with the error, or
    // it is of a failed start, whose group the controller has never had.
    group_ = profile_->catches_own_errors ? Group::kHalfStopped : Group::kNone;
    fail_with(turn, {at}, {});
    return;
  }
  if (state_ != State::kScheduling) {
    schedule(turn, {at});  // a failed start is gone, while the next one waits to be possible
    return;
  }
  add_step(turn, RuleId::kStartAfterTeardown, state_).saw = {at};
  start_group(turn);
}

}  // namespace aftershock::policies::ray_train
