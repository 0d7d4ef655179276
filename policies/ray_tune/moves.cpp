// How trials and the experiment move between their states.

#include <utility>

#include "policies/ray_tune/experiment.h"

namespace aftershock::policies::ray_tune {

Step& RayTune::add_step(Turn& turn, RuleId rule, State to) {
  Step& step = turn.decision.steps.emplace_back();
  step.rule = static_cast<std::uint16_t>(rule);
  step.from_state = static_cast<std::uint16_t>(state_);
  step.to_state = static_cast<std::uint16_t>(to);
  state_ = to;
  return step;
}

void RayTune::add_not_current(Turn& turn) {
  if (!turn.not_current.empty() && !is_terminal(state_)) {
    add_step(turn, RuleId::kEventNotCurrent, state_).saw = std::move(turn.not_current);
  }
}

RayTune::Live* RayTune::live_of(JobId job, std::uint32_t trial) {
  return job_known_ && job == job_ && trial < live_.size() ? &live_[trial] : nullptr;
}

void RayTune::set_status(std::uint32_t trial, TrialStatus status) {
  Trial& record = trials_[trial];
  unfinished_ -= is_finished(record.status) ? 0U : 1U;
  pending_ -= record.status == TrialStatus::kPending ? 1U : 0U;
  record.status = status;
  unfinished_ += is_finished(status) ? 0U : 1U;
  pending_ += status == TrialStatus::kPending ? 1U : 0U;
  snapshots_.changed(trial);
}

void RayTune::make_trial() {
  const auto trial = static_cast<std::uint32_t>(trials_.size());
  trials_.push_back({.session = session_, .max_failures = config_.failure.max_failures});
  live_.emplace_back();
  ++unfinished_;
  ++pending_;
  snapshots_.changed(trial);
  queue(trial);
}

void RayTune::queue(std::uint32_t trial) {
  live_[trial].actor = Actor::kQueued;
  queue_.push_back(trial);
}

void RayTune::start_queued(Turn& turn) {
  if (state_ != State::kRunning) {
    return;
  }
  // The searcher holds back by what is not finished, the controller by what waits for resources;
  // trials that were made once are held back by neither.
  while (trials_.size() < num_samples_ &&
         (!config_.max_concurrent_trials || unfinished_ < *config_.max_concurrent_trials) &&
         (!config_.max_pending_trials || pending_ < *config_.max_pending_trials)) {
    make_trial();
  }
  if (queue_.empty()) {
    return;
  }
  Step& step = add_step(turn, RuleId::kTrialStart, state_);
  step.commands.reserve(queue_.size());
  for (const std::uint32_t trial : queue_) {
    Live& live = live_[trial];
    live.actor = Actor::kStarting;
    live.start_command = ++last_command_;
    starts_.emplace(last_command_, trial);
    step.commands.emplace_back(StartTrial{.id = last_command_,
                                          .job = job_,
                                          .trial = trial,
                                          .name = trial_id(trials_[trial], trial),
                                          .from = trials_[trial].checkpoint,
                                          .dead_references = dead_references_});
  }
  queue_.clear();
}

void RayTune::stopped(std::uint32_t trial) {
  Live& live = live_[trial];
  live.actor = Actor::kNone;
  --stopping_;
  if (const auto stop = stops_.find(live.stop_command);
      stop != stops_.end() && stop->second.size() == 1) {
    stops_.erase(stop);
  }
  if (state_ == State::kRunning && trials_[trial].status == TrialStatus::kPending) {
    queue(trial);
  }
}

void RayTune::persist(Step& step, TimeUs at_us) {
  snapshots_.force(at_us);
  step.commands.emplace_back(Persist{++last_command_, job_});
}

void RayTune::finish_if_done(Turn& turn) {
  const bool running = state_ == State::kRunning || state_ == State::kStopping;
  const bool all_made = state_ == State::kStopping || trials_.size() >= num_samples_;
  if (!running || !all_made || unfinished_ > 0 || stopping_ > 0) {
    return;
  }
  Step& step = add_step(turn, RuleId::kFinished, State::kFinished);
  persist(step, turn.batch.t_us);
  if (cut_short_) {
    // fit() returns as if all were well, but the experiment has not done its work.
    step.commands.emplace_back(Fail{++last_command_, job_, gave_up(RuleId::kFailFastStop)});
  } else {
    step.commands.emplace_back(Complete{++last_command_, job_});
  }
}

std::string RayTune::gave_up(RuleId rule) const {
  std::string reason = "gave_up(";
  reason += info_->rules[static_cast<std::size_t>(rule)].id;
  return reason + ')';
}

}  // namespace aftershock::policies::ray_tune
