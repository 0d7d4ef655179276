#include "policies/ray_train/controller.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/assert.h"
#include "policies/ray_train/classify.h"

namespace aftershock::policies::ray_train {

namespace {

bool lists_any(const Checkpoints& checkpoints, const std::vector<CheckpointId>& missing) {
  const std::vector<CheckpointId> kept = checkpoints.kept();
  return std::any_of(kept.begin(), kept.end(), [&](CheckpointId id) {
    return std::find(missing.begin(), missing.end(), id) != missing.end();
  });
}

}  // namespace

RayTrain::RayTrain(const Profile& profile, const Config& config)
    : profile_(&profile),
      words_(&vocabulary(profile)),
      config_(config),
      counters_{{config.max_failures, 0},
                {config.controller_failure_limit, 0},
                {config.max_preemption_failures, 0}},
      checkpoints_(config.num_to_keep, config.scoring),
      stop_grace_us_(profile.shutdown_grace_us) {}

nlohmann::json RayTrain::durable(TimeUs /*at_us*/) const {
  return checkpoints_.snapshot(*profile_);
}

std::vector<BudgetState> RayTrain::budgets() const {
  std::vector<BudgetState> states{{counters_.worker_group.used, counters_.worker_group.limit()},
                                  {counters_.controller.used, counters_.controller.limit()},
                                  {counters_.preemption.used, counters_.preemption.limit()}};
  states.resize(info().budgets.size());
  return states;
}

ResultCheckpoints RayTrain::result() const {
  return {.latest = checkpoints_.latest(), .best = checkpoints_.best()};
}

std::unique_ptr<Policy> RayTrain::clone() const { return std::make_unique<RayTrain>(*this); }

Decision RayTrain::on_events(const Batch& batch, const View& view) {
  Turn turn{batch, view, {}, {}, {}, false};
  if (ended()) {
    go_on_aborting(turn, 0);
    return std::move(turn.decision);
  }
  constexpr std::size_t kLastIndex = std::numeric_limits<Index>::max();
  std::size_t at = 0;
  for (; at < batch.events.size() && !ended(); ++at) {
    // A batch longer than an index reaches is acted on in full; only who saw what is blurred.
    const auto index = static_cast<Index>(std::min(at, kLastIndex));
    std::visit([&](const auto& event) { on(turn, index, event); }, batch.events[at]);
  }
  if (ended()) {
    go_on_aborting(turn, at);
    return std::move(turn.decision);
  }
  look(turn);
  abort_if_asleep(turn);
  if (!turn.not_current.empty()) {
    add_not_current(turn);
  }
  if (ended()) {
    return std::move(turn.decision);
  }
  if (polls()) {
    turn.decision.watch.poll =
        PollWatch{.epoch = epoch_,
                  .anchor_us = anchor_us_,
                  .period_us = config_.health_check_interval_us,
                  .answer_wait_us = config_.health_check_interval_us,
                  .unanswered_limit_us = config_.worker_health_check_timeout_us,
                  .again = again_};
    watch_drain(turn);
    if (config_.nccl_hang_callback) {
      turn.decision.watch.hang = HangWatch{.anchor_us = started_us_,
                                           .period_us = config_.nccl_hang_poll_interval_us,
                                           .after_us = config_.nccl_hang_confirm_us};
    }
  }
  watch_capacity(turn);
  return std::move(turn.decision);
}

bool RayTrain::is_current(JobId job, Epoch epoch) const {
  return job_known_ && job == job_ && epoch == epoch_;
}

void RayTrain::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (state_ != State::kInitializing || submitted_ || (job_known_ && submitted.job != job_)) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = submitted.job;
  job_known_ = true;
  submitted_ = true;
  submitted_us_ = turn.batch.t_us;
  const WorkerCount count =
      config_.workers.value_or(WorkerCount{submitted.workers, submitted.workers, false});
  elastic_ = count.elastic;
  most_workers_ = std::min(count.max, submitted.workers);
  // A least of 0 is accepted, but a group of nobody would have nothing to finish.
  least_workers_ = std::clamp(count.min, std::min(1U, most_workers_), most_workers_);
  schedule(turn, {at});
}

void RayTrain::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (state_ != State::kInitializing || job_known_) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = started.job;
  job_known_ = true;
  epoch_ = started.epoch;
  if (started.durable.empty()) {
    return;
  }
  RuleId rule = RuleId::kSnapshotUnreadable;
  if (checkpoints_.restore(started.durable, *profile_)) {
    if (!profile_->notices_missing_checkpoints || !lists_any(checkpoints_, started.missing)) {
      add_step(turn, RuleId::kSnapshotRestored, state_).saw = {at};
      return;
    }
    rule = RuleId::kSnapshotMissingCheckpoint;
  }
  // A constructor that raises takes the controller's actor with it, which has no state to enter.
  driver_gone_ = profile_->dies_of_its_snapshot;
  Step& step = add_step(turn, rule, driver_gone_ ? state_ : State::kErrored);
  step.saw = {at};
  step.commands.emplace_back(Fail{++last_command_, job_, text_of({std::nullopt, rule})});
}

void RayTrain::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (group_ != Group::kStarting || !is_current(running.job, running.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  AFTERSHOCK_ASSERT(state_ == State::kScheduling);
  group_ = Group::kRunning;
  started_us_ = turn.batch.t_us;
  begin_polls(started_us_);
  if (!replacing_) {
    considered_us_ = started_us_;
  }
  replacing_ = false;
  failed_ = {};
  last_commit_us_.reset();
  again_ = false;
  add_step(turn, RuleId::kStartRunning, State::kRunning).saw = {at};
}

void RayTrain::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (group_ != Group::kStarting || !is_current(failed.job, failed.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  StartError error = start_error(failed);
  if (replacing_) {
    // The group that was to be completed is still there, and is stopped as a whole.
    error = failed.why == StartFailure::kError ? error : StartError::kStartupFailed;
  } else if (left_by(failed.stage) == Leftovers::kReleased) {
    // Actors that are still being made are killed at once; later ones get the time that they need
    // for their shutdown hooks (ray.md 1.5).
    stop_grace_us_ = failed.stage == StartStage::kConstruction ? 0 : profile_->shutdown_grace_us;
  } else {
    group_ = Group::kNone;
    if (left_by(failed.stage) == Leftovers::kLost) {
      Step& step = add_step(turn, RuleId::kStartLeaked, state_);
      step.saw = {at};
      step.rejected.push_back({"stop what had been started",
                               "the clean-up of a failed start skips a group that has started"});
    }
  }
  fail_with(turn, {at},
            {.error = error_class(error),
             .cause = ChargeCause::kController,
             .retry = RuleId::kStartRetry,
             .raise = RuleId::kStartRaise,
             .not_retryable =
                 error == StartError::kInsufficientCluster && profile_->checks_cluster_maximum
                     ? RuleId::kStartInsufficientCluster
                     : RuleId::kStartNotRetryable,
             .in_loop = false});
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
  if (aborting_) {
    end_abort(turn, at, true);
    return;
  }
  if (state_ == State::kShuttingDown || ends_in_terminal_state()) {
    // The error of the shutdown itself may still come, and would be the one that counts.
    hook_failed_ = true;
    add_step(turn, RuleId::kShutdownHookError, state_).saw = {at};
    return;
  }
  if (polls()) {
    last_poll_us_ = last_poll_before(turn.batch.t_us);  // it has taken the place of the next
  }
  // Errors while a group starts are caught around the start: in 2.43 those of a failed start alone.
  ErrorClass failed = error_class(error);
  if (profile_->wraps_worker_errors && failed == ErrorClass::kWorkerGroup) {
    failed = ErrorClass::kOtherController;
  }
  const bool caught = profile_->limits_start_failures || failed == ErrorClass::kRetryableController;
  fail_with(turn, {at}, {.error = failed, .in_loop = group_ != Group::kStarting || !caught});
}

void RayTrain::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error == CommandError::kNone) {
    return;
  }
  if (result.command == persist_command_ && aborting_) {
    end_abort(turn, at, true);
    return;
  }
  if (result.command == persist_command_) {
    hook_failed_ |= ends_in_terminal_state();
    if (state_ != State::kShuttingDown && !ends_in_terminal_state()) {
      fail_with(turn, {at}, {.not_retryable = RuleId::kSnapshotUnwritable});
      return;
    }
  } else if (result.command == start_command_ && group_ == Group::kStarting) {
    if (result.definite) {
      group_ = Group::kNone;
    }
    fail_with(turn, {at}, {.not_retryable = RuleId::kStartNotRetryable, .in_loop = false});
    return;
  }
  add_step(turn, RuleId::kCommandFailed, state_).saw = {at};
  if (result.command == stop_command_ && group_ == Group::kStopping && result.definite &&
      result.error != CommandError::kUnreachable) {
    group_stopped(turn, at, {});  // there is nothing to stop
  }
}

void RayTrain::on(Turn& turn, Index at, const HangSuspected& hang) {
  if (!polls() || !is_current(hang.job, hang.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  if (config_.nccl_hang_callback) {
    // NCCLHangError is a WorkerGroupError without a failed worker (ray.md 1.3).
    add_step(turn, RuleId::kHangNccl, state_).saw = {at};
    if (profile_->notice_goes_first) {
      hung_ = again_ = true;  // the callback looks at what its own thread found when it is polled
      return;
    }
    fail_with(
        turn, {at},
        {.error = ErrorClass::kWorkerGroup, .cause = ChargeCause::kApplication, .in_loop = false});
    return;
  }
  Step& step = add_step(turn, RuleId::kHangNotWatched, state_);
  step.saw = {at};
  step.rejected.push_back({"restart", "the workers answer their polls"});
}

void RayTrain::on(Turn& turn, Index at, const PreemptionNotice& notice) {
  if (watches_drain()) {
    if (notice.ranks.empty()) {
      turn.not_current.push_back(at);
    } else {
      on_poll(turn, at, notice);
    }
    return;
  }
  Step& step = add_step(turn, RuleId::kPreemptionIgnored, state_);
  step.saw = {at};
  std::string_view why = "this profile has no preemption handling";
  if (profile_->handles_preemption) {
    why = config_.replica_groups ? "replica groups are not watched" : "the watcher is switched off";
  }
  step.rejected.push_back({"drain", why});
}

template <class Seen>
void RayTrain::on_poll(Turn& turn, Index at, const Seen& seen) {
  if (!polls() || !is_current(seen.job, seen.epoch)) {
    turn.not_current.push_back(at);
  } else if (!turn.poll_begins) {
    turn.poll_begins = at;
  }
}

}  // namespace aftershock::policies::ray_train
