#include <string>

#include "policies/modelarts/controller.h"
#include "policies/parts/turns.h"

// The strategies' steps (modelarts.md 4).
namespace aftershock::policies::modelarts {

Step& ModelArts::add_step(Turn& turn, RuleId rule, State to, Index at) {
  return append_step(turn.decision, static_cast<std::uint16_t>(rule), state_, to, at);
}

BudgetMove ModelArts::job_retry_move(ChargeCause cause, bool exempt) const {
  return {.budget = static_cast<std::uint16_t>(Budget::kJobRetry),
          .cause = cause,
          .used = memory_.job_retries,
          .limit = config_.job_retry_num,
          .exempt = exempt};
}

void ModelArts::reschedule_pods(Turn& turn, Index at, const RankSet& ranks, std::uint32_t nodes) {
  if (config_.readings.pod_spends_both && !retry_left()) {
    fail_exhausted(turn, at, ChargeCause::kNode);
    return;
  }
  memory_.pod_retries += config_.readings.unit_per_pod ? nodes : 1;
  memory_.job_retries += config_.readings.pod_spends_both ? 1 : 0;
  new_pods_ = ranks;
  leaving_ = {};
  plan_ = Plan::kPods;
  Step& step = add_step(turn, RuleId::kPodReschedule, State::kPrStopSurvivors, at);
  step.budgets = {{.budget = static_cast<std::uint16_t>(Budget::kPodRetry),
                   .cause = ChargeCause::kNode,
                   .used = memory_.pod_retries,
                   .limit = config_.pod_retry_num},
                  job_retry_move(ChargeCause::kNode, !config_.readings.pod_spends_both)};
  step.rejected.push_back({"make the whole job anew", "pods come first where they may (A15)"});
  advance(turn, at);
}

// `rule` kCount: the last step has the rule that says why.
void ModelArts::reschedule_job(Turn& turn, Index at, RuleId rule, ChargeCause cause) {
  if (!retry_left()) {
    fail_exhausted(turn, at, cause);
    return;
  }
  ++memory_.job_retries;
  plan_ = Plan::kJob;
  if (rule != RuleId::kCount) {
    add_step(turn, rule, State::kJobTeardown, at);
  } else {
    state_ = State::kJobTeardown;
    turn.decision.steps.back().to_state = static_cast<std::uint16_t>(state_);
  }
  turn.decision.steps.back().budgets.push_back(job_retry_move(cause, false));
  advance(turn, at);
}

void ModelArts::pods_failed(Turn& turn, Index at) {
  if (config_.readings.failed_pod_needs_flag && !config_.unconditional) {
    fail(turn, at, RuleId::kPodFailedNoSwitch);
    return;
  }
  reschedule_job(turn, at, RuleId::kPodFailed, ChargeCause::kNode);
}

// Goes on with the plan as far as the pods allow; what is missing is asked for with a command of
// the last step, and its result comes back here.
void ModelArts::advance(Turn& turn, Index at) {
  turn.stopped.reset();
  if (pods_ == Pods::kStopping || pods_ == Pods::kRemoving) {
    return;
  }
  if (plan_ == Plan::kJob) {
    if (pods_ == Pods::kKept) {
      add_step(turn, RuleId::kContainersRemoved, state_, at);
    }
    if (pods_ != Pods::kNone) {
      stop(turn);
      return;
    }
    if (heals_first(turn, at)) {
      return;
    }
    rescheduled(memory_.pods);
    memory_.pods_before.clear();
    if (config_.readings.history_per_schedule) {
      memory_.chips.clear();
    }
    begin_attempt(turn);
    add_step(turn, RuleId::kRescheduled, State::kJobStart, at)
        .commands.emplace_back(StartAttempt{.id = ++last_command_,
                                            .job = job_,
                                            .epoch = memory_.epoch,
                                            .workers = memory_.workers,
                                            .placement_wait_us = config_.queue_limit_us,
                                            .first_in_queue = true,
                                            .env = env_of(memory_.pods)});
    return;
  }
  if (pods_ == Pods::kLive) {
    stop(turn);
    return;
  }
  // Chips heal while the volumes of pods go.
  const bool waits = plan_ == Plan::kPods && heals_first(turn, at);
  if (plan_ == Plan::kPods && !new_pods_.without(leaving_).empty()) {
    add_step(turn, RuleId::kPodsRemoved, State::kPrStopSurvivors, at);
    stop(turn);
    return;
  }
  if (plan_ == Plan::kHang) {
    restart_processes(turn, at, RuleId::kHangRelaunch, State::kHrRelaunch);
  } else if (plan_ == Plan::kHeal) {
    heal(add_step(turn, RuleId::kSelfHeal, State::kIprSelfHeal, at));
  } else if (!waits) {
    memory_.pods_before = memory_.pods;
    pods_recreated(memory_.pods, new_pods_, config_.readings);
    leaving_ = {};
    if (config_.readings.history_per_schedule) {
      memory_.chips.clear();
    }
    begin_attempt(turn);
    add_step(turn, RuleId::kPodsRecreated, State::kPrReschedule, at)
        .commands.emplace_back(RecreatePods{.id = ++last_command_,
                                            .job = job_,
                                            .epoch = memory_.epoch,
                                            .ranks = new_pods_,
                                            .placement_wait_us = config_.queue_limit_us,
                                            .env = env_of(memory_.pods)});
  }
}

void ModelArts::begin_attempt(const Turn& turn) {
  ++memory_.epoch;
  pods_ = Pods::kLive;
  attempt_since_us_ = turn.batch.t_us;
}

// All pods go where the job is made anew, and where pods are, those; all others stay.
void ModelArts::stop(Turn& turn) {
  const bool whole = plan_ == Plan::kJob;
  pods_ = whole ? Pods::kRemoving : Pods::kStopping;
  StopWorkers command{.id = ++last_command_,
                      .job = job_,
                      .epoch = memory_.epoch,
                      .force = true,
                      .keep_containers = !whole};
  if (plan_ == Plan::kPods) {
    leaving_ = new_pods_;
    command.leaving = leaving_;
  }
  if (whole || plan_ == Plan::kPods) {
    command.unmount_async_after_us = config_.unmount_async_after_us;
  }
  turn.decision.steps.back().commands.emplace_back(std::move(command));
}

void ModelArts::restart_processes(Turn& turn, Index at, RuleId rule, State to) {
  processes_restarted(memory_.pods);
  begin_attempt(turn);
  add_step(turn, rule, to, at)
      .commands.emplace_back(RestartProcesses{
          .id = ++last_command_, .job = job_, .epoch = memory_.epoch, .env = env_of(memory_.pods)});
}

void ModelArts::fail(Turn& turn, Index at, RuleId rule) {
  std::string reason = "gave_up(";
  reason += info().rules[static_cast<std::size_t>(rule)].id;
  add_step(turn, rule, State::kFailed, at)
      .commands.emplace_back(Fail{++last_command_, job_, reason + ')'});
}

void ModelArts::fail_exhausted(Turn& turn, Index at, ChargeCause cause) {
  ++memory_.job_retries;
  BudgetMove move = job_retry_move(cause, false);
  move.exhausted = true;
  Step& step = add_step(turn, RuleId::kRetriesExhausted, State::kFailed, at);
  step.budgets.push_back(move);
  step.commands.emplace_back(Fail{++last_command_, job_, "exhausted(job-retry-num)"});
}

}  // namespace aftershock::policies::modelarts
