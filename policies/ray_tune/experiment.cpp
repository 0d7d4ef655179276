#include "policies/ray_tune/experiment.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/parts/turns.h"

namespace aftershock::policies::ray_tune {

RayTune::RayTune(const Profile& profile, Config config)
    : profile_(&profile),
      info_(&policy_info(profile)),
      config_(std::move(config)),
      tuner_{config_.trainable, config_.param_space, config_.object_refs},
      snapshots_(config_.snapshots, config_.num_to_keep) {}

nlohmann::json RayTune::durable(TimeUs at_us) const {
  if (!begun_) {
    return found_;
  }
  nlohmann::json files = {{"tuner", to_json(tuner_)}};
  if (auto trials = snapshots_.stored(at_us, trials_)) {
    files["experiment_state"] = to_json(StoredState{session_, num_samples_, *std::move(trials)});
  } else if (found_.is_object() && found_.contains("experiment_state")) {
    files["experiment_state"] = found_["experiment_state"];
  } else {
    files["experiment_state"] = nullptr;
  }
  return files;
}

std::vector<BudgetState> RayTune::budgets() const {
  return {{most_failures_, failure_limit(config_.failure.max_failures)},
          {most_restore_failures_, config_.failure.rules.restore_retries}};
}

std::vector<TrialState> RayTune::trials() const {
  std::vector<TrialState> states;
  states.reserve(trials_.size());
  for (std::uint32_t number = 0; number < trials_.size(); ++number) {
    const Trial& trial = trials_[number];
    states.push_back({.trial = number,
                      .id = trial_id(trial, number),
                      .status = name_of(trial.status),
                      .failures = trial.counts.num_failures,
                      .restores = live_[number].restores,
                      .checkpoint = trial.checkpoint,
                      .iteration = trial.iteration});
  }
  return states;
}

std::unique_ptr<Policy> RayTune::clone() const { return std::make_unique<RayTune>(*this); }

Decision RayTune::on_events(const Batch& batch, const View& /*view*/) {
  Turn turn{batch, {}, {}};
  if (is_terminal(state_)) {
    return std::move(turn.decision);
  }
  snapshots_.advance(batch.t_us, trials_);
  each_event(
      batch, [this] { return is_terminal(state_); },
      [&](Index at, const auto& event) { on(turn, at, event); });
  start_queued(turn);
  finish_if_done(turn);
  add_not_current(turn);
  return std::move(turn.decision);
}

void RayTune::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (state_ != State::kPending || job_known_) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = started.job;
  job_known_ = true;
  if (started.durable.empty()) {
    return;
  }
  found_ = json_or_discarded(started.durable);
  if (found_.is_discarded()) {
    found_ = started.durable;
  }
  const StoredExperiment stored = read_stored(started.durable);
  if (config_.restore.when != RestoreWhen::kNever) {
    restore(turn, at, stored);
    return;
  }
  session_ = stored.state ? stored.state->session + 1 : 2;
  add_step(turn, RuleId::kStartedOverOld, state_).saw = {at};
}

void RayTune::on(Turn& turn, Index at, const ExperimentSubmitted& submitted) {
  if (state_ != State::kPending || (job_known_ && submitted.job != job_)) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = submitted.job;
  job_known_ = true;
  if (config_.restore.when == RestoreWhen::kAlways && !samples_known_) {
    refuse(turn, at, RuleId::kRestoreNothingThere,
           "ValueError: the path holds no tuner.pkl; begin with Tuner(...).fit(), or restore only "
           "where Tuner.can_restore(path)");
    return;
  }
  if (!samples_known_) {
    num_samples_ = submitted.trials;
  }
  Step& step = add_step(turn, begun_ ? RuleId::kContinued : RuleId::kStarted, State::kRunning);
  step.saw = {at};
  if (!begun_) {
    step.commands.emplace_back(Persist{++last_command_, job_});
  }
  begun_ = true;
  snapshots_.start(turn.batch.t_us);
}

void RayTune::on(Turn& turn, Index at, const TrialStarted& started) {
  Live* live = live_of(started.job, started.trial);
  if (live == nullptr || live->actor != Actor::kStarting) {
    turn.not_current.push_back(at);
    return;
  }
  starts_.erase(live->start_command);
  live->actor = Actor::kRunning;
  set_status(started.trial, TrialStatus::kRunning);
  add_step(turn, RuleId::kTrialRunning, state_).saw = {at};
}

void RayTune::on(Turn& turn, Index at, const TrialRestored& restored) {
  Live* live = live_of(restored.job, restored.trial);
  if (live == nullptr || live->actor != Actor::kRunning) {
    turn.not_current.push_back(at);
    return;
  }
  ++live->restores;
  trials_[restored.trial].counts.restore_failures = 0;
  add_step(turn, RuleId::kTrialRestored, state_).saw = {at};
}

void RayTune::on(Turn& turn, Index at, const TrialResult& result) {
  Live* live = live_of(result.job, result.trial);
  if (live == nullptr || live->actor != Actor::kRunning) {
    turn.not_current.push_back(at);
    return;
  }
  Trial& trial = trials_[result.trial];
  trial.iteration = result.iteration;
  trial.last_result_us = turn.batch.t_us;
  snapshots_.changed(result.trial);
  if (result.checkpoint != 0) {
    auto dropped = register_checkpoint(trial, result.checkpoint, config_.num_to_keep);
    snapshots_.checkpointed(result.trial, turn.batch.t_us);
    if (!dropped.empty()) {
      Step& step = add_step(turn, RuleId::kCheckpointEvicted, state_);
      step.saw = {at};
      step.commands.emplace_back(
          DeleteTrialCheckpoints{++last_command_, job_, result.trial, std::move(dropped)});
    }
  }
  if (result.done) {
    live->actor = Actor::kNone;
    set_status(result.trial, TrialStatus::kTerminated);
    add_step(turn, RuleId::kTrialTerminated, state_).saw = {at};
  }
}

void RayTune::on(Turn& turn, Index at, const TrialsFailed& failed) {
  bool acted = false;
  for (const RankSet::Interval& interval : failed.trials.intervals()) {
    for (std::uint32_t trial = interval.first; trial < interval.end; ++trial) {
      const Live* live = live_of(failed.job, trial);
      if (live == nullptr) {
        break;
      }
      if (live->actor != Actor::kStarting && live->actor != Actor::kRunning) {
        continue;
      }
      acted = true;
      if (config_.failure.fail_fast == FailFast::kRaise) {
        raise(turn, at);
        return;
      }
      fail_trial(turn, at, trial, {failed.kind, failed.preempted, failed.restoring, failed.error});
    }
  }
  if (!acted) {
    turn.not_current.push_back(at);
  } else if (config_.failure.fail_fast == FailFast::kStop && state_ == State::kRunning) {
    stop_all(turn, at);
  }
}

void RayTune::on(Turn& turn, Index at, const TrialsStopped& gone) {
  bool acted = false;
  for (const RankSet::Interval& interval : gone.trials.intervals()) {
    for (std::uint32_t trial = interval.first; trial < interval.end; ++trial) {
      const Live* live = live_of(gone.job, trial);
      if (live == nullptr) {
        break;
      }
      if (live->actor == Actor::kStopping) {
        stopped(trial);
        acted = true;
      }
    }
  }
  if (acted) {
    add_step(turn, RuleId::kTrialStopped, state_).saw = {at};
  } else {
    turn.not_current.push_back(at);
  }
}

void RayTune::on(Turn& turn, Index at, const StopRequested& stop) {
  if (!job_known_ || stop.job != job_) {
    turn.not_current.push_back(at);
    return;
  }
  Step& step = add_step(turn, RuleId::kInterrupted, State::kAborted);
  step.saw = {at};
  StopTrials all{0, job_, {}, config_.cleanup_us};
  for (std::uint32_t trial = 0; trial < live_.size(); ++trial) {
    if (live_[trial].actor == Actor::kStarting || live_[trial].actor == Actor::kRunning) {
      all.trials.add(trial, trial + 1);
    }
  }
  if (begun_) {
    persist(step, turn.batch.t_us);
  }
  if (!all.trials.empty()) {
    all.id = ++last_command_;
    step.commands.emplace_back(std::move(all));
  }
  step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
}

void RayTune::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error == CommandError::kNone) {
    return;
  }
  add_step(turn, RuleId::kCommandFailed, state_).saw = {at};
  if (!result.definite) {
    return;
  }
  if (const auto start = starts_.find(result.command); start != starts_.end()) {
    // Where the host knows no such trial, nobody would ever answer that it has stopped.
    fail_trial(
        turn, at, start->second,
        {.error = "CommandError", .never_began = result.error == CommandError::kUnknownTarget});
  } else if (const auto stop = stops_.find(result.command); stop != stops_.end()) {
    // There is nothing to stop.
    const RankSet trials = stop->second;
    for (const RankSet::Interval& interval : trials.intervals()) {
      for (std::uint32_t trial = interval.first; trial < interval.end; ++trial) {
        if (live_[trial].actor == Actor::kStopping && live_[trial].stop_command == result.command) {
          stopped(trial);
        }
      }
    }
  }
}

}  // namespace aftershock::policies::ray_tune
