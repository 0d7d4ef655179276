#include <algorithm>
#include <string>
#include <utility>

#include "policies/mindcluster/controller.h"
#include "policies/parts/turns.h"

// From a step that is computed again to a job that is made anew (modelarts.md 6.4).
namespace aftershock::policies::mindcluster {

Step& MindCluster::add_step(Turn& turn, RuleId rule, State to, Index at) {
  return append_step(turn.decision, static_cast<std::uint16_t>(rule), state_, to, at);
}

bool MindCluster::has(Recover step) const {
  return std::ranges::find(config_.recover, step) != config_.recover.end();
}

// One batch is one moment: hardware explains the exits that come with it.
void MindCluster::settle(Turn& turn) {
  if (!turn.hardware && !turn.exit && !turn.failed_step) {
    return;
  }
  const bool software = !turn.hardware && turn.exit;
  const Index at = turn.hardware.value_or(turn.exit.value_or(turn.failed_step.value_or(0)));
  if (software) {
    turn.cause = ChargeCause::kApplication;
    turn.retryable = false;
    add_step(turn, RuleId::kExit, state_, at);
    if (state_ == State::kRunning && turn.faulty.size() >= gang_.workers) {
      fail(turn, at, RuleId::kAllFailed);
      return;
    }
  }
  if (state_ == State::kRunning && recover_processes(turn, at, software)) {
    return;
  }
  if (state_ == State::kRecovering) {
    add_step(turn, RuleId::kProcessFailed, state_, at);
  }
  // Pods that are being made anew already cost nothing more, nor do they keep the nodes that are
  // now at fault.
  const bool underway = plan_ == Plan::kJob && gang_.moving();
  if (config_.scheduling == Scheduling::kOff) {
    fail(turn, at, RuleId::kSchedulingOff);
    return;
  }
  for (const Separated& node : std::exchange(turn.nodes, {})) {
    separate(turn, RuleId::kSeparated, at, node);
  }
  if (!underway) {
    reschedule(turn, at, software);
  }
}

// The first step that the job has and that fits all that is wrong; false: none does.
bool MindCluster::recover_processes(Turn& turn, Index at, bool software) {
  const bool in_place = turn.in_place && has(Recover::kInPlace);
  const bool retry = !software && turn.retryable && has(Recover::kRetry);
  if (!retry && !in_place && !has(Recover::kRecover)) {
    if (has(Recover::kDump)) {
      add_step(turn, RuleId::kDump, state_, at);
    }
    if (has(Recover::kExit)) {
      add_step(turn, RuleId::kExitStep, state_, at);
    }
    return false;
  }
  if (!retry && !in_place) {
    for (const Separated& node : std::exchange(turn.nodes, {})) {
      separate(turn, RuleId::kSeparated, at, node);
    }
  }
  const RuleId rule = retry ? RuleId::kRetry : in_place ? RuleId::kInPlace : RuleId::kRecover;
  Step& step = add_step(turn, rule, State::kRecovering, at);
  for (const Budget budget : {Budget::kFaultRetryTimes, Budget::kBackoffLimit}) {
    const bool retries = budget == Budget::kFaultRetryTimes;
    step.budgets.push_back({.budget = static_cast<std::uint16_t>(budget),
                            .cause = turn.cause,
                            .used = retries ? memory_.retries : memory_.reschedulings,
                            .exempt = true});
  }
  step.commands.push_back(gang_.replace(turn.faulty));
  patience_us_ = turn.batch.t_us + config_.wait_reschedule_us;
  return true;
}

/// Charges the budgets; false: one of them is used up, and the job has failed.
bool MindCluster::pay(Turn& turn, Index at, bool software) {
  const auto exhausted = [&](RuleId rule, Budget budget, std::int64_t used, std::int64_t limit,
                             const char* name) {
    Step& step = add_step(turn, rule, State::kFailed, at);
    step.budgets.push_back({.budget = static_cast<std::uint16_t>(budget),
                            .cause = turn.cause,
                            .used = used,
                            .limit = limit,
                            .exhausted = true});
    step.commands.push_back(gang_.ask<Fail>("exhausted(" + std::string(name) + ')'));
    return false;
  };
  if (software && config_.fault_retry_times == 0) {
    fail(turn, at, RuleId::kRetriesOff);
    return false;
  }
  if (software && memory_.retries >= config_.fault_retry_times) {
    return exhausted(RuleId::kRetriesExhausted, Budget::kFaultRetryTimes, ++memory_.retries,
                     config_.fault_retry_times, "fault-retry-times");
  }
  if (config_.backoff_limit && memory_.reschedulings >= *config_.backoff_limit) {
    return exhausted(RuleId::kBackoffLimit, Budget::kBackoffLimit, ++memory_.reschedulings,
                     *config_.backoff_limit, "backoffLimit");
  }
  memory_.retries += software ? 1 : 0;
  ++memory_.reschedulings;
  return true;
}

void MindCluster::reschedule(Turn& turn, Index at, bool software) {
  if (!pay(turn, at, software)) {
    return;
  }
  const bool pods = (config_.pod_rescheduling || turn.exchange) && state_ == State::kRunning &&
                    !turn.faulty.empty();
  const bool rank_zero = turn.faulty.contains(0);
  if (pods && rank_zero) {
    add_step(turn, RuleId::kRankZero, state_, at);
  }
  const bool some = pods && !rank_zero;
  plan_ = some ? Plan::kPods : Plan::kJob;
  anew_ = some ? turn.faulty : RankSet();
  force_ = turn.force || config_.scheduling == Scheduling::kForce;
  patience_us_.reset();
  Step& step = add_step(turn, some ? RuleId::kPodReschedule : RuleId::kJobReschedule,
                        some ? State::kPodRescheduling : State::kJobRescheduling, at);
  step.budgets.push_back(
      {.budget = static_cast<std::uint16_t>(Budget::kFaultRetryTimes),
       .cause = turn.cause,
       .used = memory_.retries,
       .limit = software ? std::optional<std::int64_t>(config_.fault_retry_times) : std::nullopt,
       .exempt = !software});
  step.budgets.push_back({.budget = static_cast<std::uint16_t>(Budget::kBackoffLimit),
                          .cause = turn.cause,
                          .used = memory_.reschedulings,
                          .limit = config_.backoff_limit});
  advance(turn, at);
}

// Goes on with the plan as far as the pods allow; what is missing is asked for with a command of
// the last step, and its result comes back here.
void MindCluster::advance(Turn& turn, Index at) {
  if (gang_.moving() || plan_ == Plan::kNone) {
    return;
  }
  const bool whole = plan_ == Plan::kJob;
  const DurationUs grace_us = force_ ? 0 : config_.grace_over_us;
  if (gang_.pods == PodGang::Pods::kLive || (whole && gang_.pods == PodGang::Pods::kKept)) {
    if (turn.decision.steps.empty()) {
      // Some pods were to go, and by the time that they are gone all of them are.
      add_step(turn, RuleId::kJobReschedule, state_, at);
    }
    turn.decision.steps.back().commands.push_back(whole ? gang_.remove(grace_us)
                                                        : gang_.stop(grace_us, anew_));
    return;
  }
  Step& step = add_step(turn, whole ? RuleId::kJobStarted : RuleId::kPodsRecreated, state_, at);
  Command command = whole ? gang_.start() : gang_.recreate(anew_);
  if (auto* pods = std::get_if<RecreatePods>(&command)) {
    pods->placement_wait_us = config_.wait_reschedule_us;
  }
  step.commands.push_back(std::move(command));
}

void MindCluster::fail(Turn& turn, Index at, RuleId rule) {
  std::string reason = "gave_up(";
  reason += info().rules[static_cast<std::size_t>(rule)].id;
  add_step(turn, rule, State::kFailed, at).commands.push_back(gang_.ask<Fail>(reason + ')'));
}

}  // namespace aftershock::policies::mindcluster
