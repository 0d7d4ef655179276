// The controller's handling of failed trials.

#include <algorithm>
#include <utility>

#include "policies/ray_tune/experiment.h"

namespace aftershock::policies::ray_tune {
namespace {

constexpr auto kMaxFailures = static_cast<std::uint16_t>(Budget::kMaxFailures);
constexpr auto kRestoreFailures = static_cast<std::uint16_t>(Budget::kRestoreFailures);

RuleId rule_of(Counted counted, bool recovers) {
  if (!recovers) {
    return RuleId::kTrialError;
  }
  switch (counted) {
    case Counted::kFreePreemption:
      return RuleId::kTrialRetryPreempted;
    case Counted::kFreeRestore:
      return RuleId::kTrialRetryRestore;
    case Counted::kCounted:
    case Counted::kCountedRestore:
      break;
  }
  return RuleId::kTrialRetry;
}

}  // namespace

void RayTune::raise(Turn& turn, Index at) {
  Step& step = add_step(turn, RuleId::kFailFastRaise, State::kRaised);
  step.saw = {at};
  step.rejected.push_back({"stop the trials", "the error leaves the loop before anything is done"});
  snapshots_.stop();
  step.commands.emplace_back(Fail{++last_command_, job_, gave_up(RuleId::kFailFastRaise)});
}

void RayTune::fail_trial(Turn& turn, Index at, std::uint32_t trial, const TrialFailure& failure) {
  Live& live = live_[trial];
  Trial& record = trials_[trial];
  if (live.actor == Actor::kStarting) {
    // A trial whose actor fails in its creation is set RUNNING first, so that it can be recovered.
    starts_.erase(live.start_command);
    set_status(trial, TrialStatus::kRunning);
  }
  const Counted counted = count_failure(config_.failure.rules, failure, record.counts);
  const bool recovers = may_recover(record.counts, record.max_failures);
  const auto limit = failure_limit(record.max_failures);
  const bool free = counted == Counted::kFreePreemption || counted == Counted::kFreeRestore;
  const ChargeCause cause = charge_cause(failure);

  Step& step = add_step(turn, rule_of(counted, recovers), state_);
  step.saw = {at};
  step.budgets.push_back({.budget = kMaxFailures,
                          .cause = cause,
                          .used = record.counts.num_failures,
                          .limit = limit,
                          .exempt = free,
                          .exhausted = !recovers});
  if (counted == Counted::kFreeRestore) {
    step.budgets.push_back({.budget = kRestoreFailures,
                            .cause = cause,
                            .used = record.counts.restore_failures,
                            .limit = config_.failure.rules.restore_retries});
  }
  if (failure.preempted && !free) {
    step.rejected.push_back(
        {"exempt the preemption",
         failure.restoring ? "a failure while a checkpoint is loaded is a restore failure first"
         : config_.failure.rules.count_preemption
             ? "RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE counts it"
             : "an exception was raised, no actor died"});
  }
  most_failures_ = std::max(most_failures_, record.counts.num_failures);
  most_restore_failures_ = std::max(most_restore_failures_, record.counts.restore_failures);

  live.actor = Actor::kNone;
  const bool died = is_actor_death(failure) && failure.kind != WorkerFailure::kException;
  if (!died && !failure.never_began) {  // the process still lives
    live.actor = Actor::kStopping;
    live.stop_command = ++last_command_;
    ++stopping_;
    StopTrials stop{last_command_, job_, RankSet::range(trial, trial + 1), config_.cleanup_us};
    stops_.emplace(last_command_, stop.trials);
    step.commands.emplace_back(std::move(stop));
  }
  set_status(trial, recovers ? TrialStatus::kPending : TrialStatus::kError);
  const bool wipes = profile_->restore_failure_wipes_checkpoint &&
                     counted == Counted::kCountedRestore && record.checkpoint.has_value();
  if (wipes) {
    record.checkpoint.reset();
    add_step(turn, RuleId::kCheckpointWiped, state_).saw = {at};
  }
  if (recovers && live.actor == Actor::kNone) {
    queue(trial);
  }
}

void RayTune::stop_all(Turn& turn, Index at) {
  cut_short_ = unfinished_ > 0 || trials_.size() < num_samples_;
  StopTrials stop{0, job_, {}, config_.cleanup_us};
  for (std::uint32_t trial = 0; trial < trials_.size(); ++trial) {
    if (is_finished(trials_[trial].status)) {
      continue;
    }
    Live& live = live_[trial];
    if (live.actor == Actor::kStarting || live.actor == Actor::kRunning) {
      stop.trials.add(trial, trial + 1);
      live.actor = Actor::kStopping;
      live.stop_command = last_command_ + 1;
      ++stopping_;
    } else if (live.actor == Actor::kQueued) {
      live.actor = Actor::kNone;
    }
    set_status(trial, TrialStatus::kTerminated);
  }
  queue_.clear();
  starts_.clear();
  Step& step = add_step(turn, RuleId::kFailFastStop, State::kStopping);
  step.saw = {at};
  step.rejected.push_back({"let the others go on", "fail_fast does not ask what the failure cost"});
  if (!stop.trials.empty()) {
    stop.id = ++last_command_;
    stops_.emplace(stop.id, stop.trials);
    step.commands.emplace_back(std::move(stop));
  }
}

}  // namespace aftershock::policies::ray_tune
