#include "policies/ray_train_v1/trainer.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"

namespace aftershock::policies::ray_train_v1 {

using ray_tune::RestoreWhen;
using ray_tune::TrialStatus;

RayTrainV1::RayTrainV1(const Profile& profile, Config config)
    : info_(&policy_info(profile)),
      config_(std::move(config)),
      trainer_{config_.trainer, config_.datasets},
      snapshots_(config_.snapshots, config_.num_to_keep) {}

nlohmann::json RayTrainV1::durable(TimeUs at_us) const {
  if (!begun_) {
    return found_;
  }
  nlohmann::json files = {
      {"trainer", to_json(trainer_)},
      {"tuner", ray_tune::to_json(ray_tune::StoredTuner{.trainable = trainer_.trainer})}};
  if (auto trials = snapshots_.stored(at_us, trials_)) {
    files["experiment_state"] =
        ray_tune::to_json(ray_tune::StoredState{session_, 1, *std::move(trials)});
  } else if (found_.is_object() && found_.contains("experiment_state")) {
    files["experiment_state"] = found_["experiment_state"];
  } else {
    files["experiment_state"] = nullptr;
  }
  return files;
}

std::vector<BudgetState> RayTrainV1::budgets() const {
  if (trials_.empty()) {
    return {{0, ray_tune::failure_limit(config_.failure.max_failures)}};
  }
  const ray_tune::Trial& trial = trials_.front();
  return {{trial.counts.num_failures, ray_tune::failure_limit(trial.max_failures)}};
}

std::vector<TrialState> RayTrainV1::trials() const {
  if (trials_.empty()) {
    return {};
  }
  const ray_tune::Trial& trial = trials_.front();
  return {{.trial = 0,
           .id = ray_tune::trial_id(trial, 0),
           .status = name_of(trial.status),
           .failures = trial.counts.num_failures,
           .restores = restores_,
           .checkpoint = trial.checkpoint,
           .iteration = trial.iteration}};
}

std::unique_ptr<Policy> RayTrainV1::clone() const { return std::make_unique<RayTrainV1>(*this); }

Decision RayTrainV1::on_events(const Batch& batch, const View& /*view*/) {
  Turn turn{batch, {}, {}, {}};
  if (is_terminal(state_)) {
    return std::move(turn.decision);
  }
  snapshots_.advance(batch.t_us, trials_);
  constexpr std::size_t kLastIndex = std::numeric_limits<Index>::max();
  for (std::size_t at = 0; at < batch.events.size() && !is_terminal(state_); ++at) {
    // A batch longer than an index reaches is acted on in full; only who saw what is blurred.
    const auto index = static_cast<Index>(std::min(at, kLastIndex));
    std::visit([&](const auto& event) { on(turn, index, event); }, batch.events[at]);
  }
  settle(turn);
  if (!turn.not_current.empty() && !is_terminal(state_)) {
    add_step(turn, RuleId::kEventNotCurrent, state_).saw = std::move(turn.not_current);
  }
  if (group_ == Group::kRunning && !is_terminal(state_)) {
    turn.decision.watch.futures = FuturesWatch{.epoch = epoch_};
  }
  return std::move(turn.decision);
}

bool RayTrainV1::is_current(JobId job, Epoch epoch) const {
  return job_known_ && job == job_ && epoch == epoch_;
}

void RayTrainV1::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (job_known_) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = started.job;
  job_known_ = true;
  epoch_ = started.epoch;
  if (started.durable.empty()) {
    return;
  }
  found_ = json_or_discarded(started.durable);
  if (found_.is_discarded()) {
    found_ = started.durable;
  }
  const StoredRun stored = read_stored_run(started.durable);
  found_any_ = true;
  if (config_.restore.when != RestoreWhen::kNever) {
    restore(turn, at, stored);
    return;
  }
  session_ = stored.experiment.state ? stored.experiment.state->session + 1 : 2;
  add_step(turn, RuleId::kStartedOverOld, state_).saw = {at};
}

void RayTrainV1::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (submitted_ || (job_known_ && submitted.job != job_)) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = submitted.job;
  job_known_ = true;
  if (config_.restore.when == RestoreWhen::kAlways && !found_any_) {
    refuse(turn, at, RuleId::kRestoreNothingThere,
           "ValueError: the path holds no trainer.pkl; begin with " + config_.trainer +
               "(...).fit(), or restore only where " + config_.trainer + ".can_restore(path)");
    return;
  }
  submitted_ = true;
  workers_ = workers_anew_.value_or(submitted.workers);
  Step& step = add_step(turn, begun_ ? RuleId::kContinued : RuleId::kStarted, state_);
  step.saw = {at};
  if (!begun_) {
    step.commands.emplace_back(Persist{++last_command_, job_});
  }
  begun_ = true;
  if (trials_.empty()) {
    trials_.push_back({.session = session_, .max_failures = config_.failure.max_failures});
    snapshots_.changed(0);
  }
  snapshots_.start(turn.batch.t_us);
  start_attempt(turn);
}

void RayTrainV1::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (group_ != Group::kStarting || !is_current(running.job, running.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  group_ = Group::kRunning;
  restores_ += from_checkpoint_ ? 1 : 0;
  set_status(TrialStatus::kRunning);
  add_step(turn, RuleId::kRunning, State::kRunning).saw = {at};
}

void RayTrainV1::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (group_ != Group::kStarting || !is_current(failed.job, failed.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  if (failed.why == StartFailure::kInfeasible) {
    Step& step = add_step(turn, RuleId::kStartInfeasible, state_);
    step.saw = {at};
    step.rejected.push_back({"fail", "Tune warns, and waits for a cluster that can"});
    return;
  }
  if (failed.stage == StartStage::kClusterCheck || failed.stage == StartStage::kPlacement) {
    group_ = Group::kNone;  // nothing was started that would have to be stopped
  }
  ray_tune::TrialFailure failure{.kind = WorkerFailure::kException};
  if (failed.why == StartFailure::kWorkerDied) {
    if (failed.stage == StartStage::kLaunch) {
      failure.kind = WorkerFailure::kExit;
    } else {
      failure.error = "TypeError";
      add_step(turn, RuleId::kStartDefect, state_).saw = {at};
    }
  }
  fail(turn, at, failure);
}

void RayTrainV1::on(Turn& turn, Index at, const WorkersFailed& failed) {
  if (group_ != Group::kRunning || !is_current(failed.job, failed.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  fail(turn, at, {.kind = failed.kind, .preempted = failed.preempted, .error = failed.error});
}

void RayTrainV1::on(Turn& turn, Index at, const CheckpointReported& reported) {
  if (group_ != Group::kRunning || !is_current(reported.job, reported.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.results.push_back(at);
  auto entry = std::find_if(reported_.begin(), reported_.end(), [&](const Reported& known) {
    return known.checkpoint == reported.checkpoint;
  });
  if (entry == reported_.end()) {
    entry = reported_.insert(reported_.end(), {reported.checkpoint, {}});
  }
  entry->ranks.add(reported.ranks);
  if (entry->ranks.size() >= workers_) {
    reported_.erase(entry);
    commit(turn, at, reported.checkpoint);
  }
}

void RayTrainV1::on(Turn& turn, Index at, const WorkersFinished& finished) {
  if (group_ != Group::kRunning || !is_current(finished.job, finished.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.results.push_back(at);
  finished_.add(finished.ranks);
}

void RayTrainV1::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  if (group_ != Group::kStopping || !is_current(stopped.job, stopped.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  // An exception from shutting the backend down is logged, no more.
  group_gone(turn);
  turn.decision.steps.back().saw = {at};
}

void RayTrainV1::on(Turn& turn, Index at, const ControllerError& error) {
  const bool alive = group_ == Group::kStarting || group_ == Group::kRunning;
  if (!alive || error.job != job_) {
    turn.not_current.push_back(at);
    return;
  }
  fail(turn, at, {.kind = WorkerFailure::kException, .error = error.error});
}

void RayTrainV1::on(Turn& turn, Index at, const StopRequested& stop) {
  if (job_known_ && stop.job != job_) {
    turn.not_current.push_back(at);
    return;
  }
  Step& step = add_step(turn, RuleId::kInterrupted, State::kAborted);
  step.saw = {at};
  if (!trials_.empty()) {
    persist(step, turn.batch.t_us);
  }
  if (group_ == Group::kStarting || group_ == Group::kRunning) {
    stop_group(turn);
  }
  turn.decision.steps.back().commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
}

void RayTrainV1::on(Turn& turn, Index at, const HangSuspected& hang) {
  if (group_ != Group::kRunning || !is_current(hang.job, hang.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  Step& step = add_step(turn, RuleId::kHangNotWatched, state_);
  step.saw = {at};
  step.rejected.push_back({"restart", "no limit is set to the wait for a worker"});
}

void RayTrainV1::on(Turn& turn, Index at, const PreemptionNotice&) {
  Step& step = add_step(turn, RuleId::kPreemptionIgnored, state_);
  step.saw = {at};
  step.rejected.push_back({"drain", "Train V1 has no preemption handling"});
}

void RayTrainV1::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error == CommandError::kNone) {
    return;
  }
  add_step(turn, RuleId::kCommandFailed, state_).saw = {at};
  if (!result.definite) {
    return;
  }
  if (result.command == start_command_ && group_ == Group::kStarting) {
    group_ = Group::kNone;
    fail(turn, at, {.kind = WorkerFailure::kException, .error = "CommandError"});
  } else if (result.command == stop_command_ && group_ == Group::kStopping &&
             result.error != CommandError::kUnreachable) {
    group_gone(turn);  // there is nothing to stop
  }
}

}  // namespace aftershock::policies::ray_train_v1
