#include "policies/mindcluster/controller.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/field_json.h"
#include "policies/parts/turns.h"

namespace aftershock::policies::mindcluster {

MindCluster::MindCluster(Config config) : config_(std::move(config)) {}

nlohmann::json MindCluster::durable(TimeUs /*at_us*/) const { return field_json(memory_); }

std::vector<BudgetState> MindCluster::budgets() const {
  return {{memory_.retries, config_.fault_retry_times},
          {memory_.reschedulings, config_.backoff_limit}};
}

std::unique_ptr<Policy> MindCluster::clone() const { return std::make_unique<MindCluster>(*this); }

Decision MindCluster::on_events(const Batch& batch, const View& /*view*/) {
  Turn turn{.batch = batch};
  if (is_terminal(state_)) {
    return std::move(turn.decision);
  }
  each_event(
      batch, [this] { return is_terminal(state_); },
      [&](Index at, const auto& event) { on(turn, at, event); });
  if (turn.restored) {
    take_up(turn);
  }
  if (!is_terminal(state_)) {
    settle(turn);
  }
  if (!turn.not_current.empty() && !is_terminal(state_)) {
    add_step(turn, RuleId::kEventNotCurrent, state_, 0).saw = std::move(turn.not_current);
  }
  if (!is_terminal(state_)) {
    turn.decision.watch = watch();
  }
  memory_.epoch = gang_.epoch;
  return std::move(turn.decision);
}

Watch MindCluster::watch() const {
  Watch watch;
  if (state_ == State::kRunning) {
    watch.futures = FuturesWatch{.epoch = gang_.epoch};
  }
  const auto wake = [&watch](TimeUs at_us) {
    watch.wake_us = std::min(watch.wake_us.value_or(at_us), at_us);
  };
  if (patience_us_) {
    wake(*patience_us_);
  }
  for (const Lasting& lasting : lasting_) {
    wake(lasting.due_us);
  }
  for (const Separated& node : memory_.separated) {
    if (node.released_after_us) {
      wake(node.since_us + *node.released_after_us);
    }
  }
  return watch;
}

void MindCluster::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (!gang_.start_controller(started, memory_)) {
    turn.not_current.push_back(at);
  }
}

void MindCluster::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (!gang_.submit(submitted)) {
    turn.not_current.push_back(at);
    return;
  }
  memory_.workers = submitted.workers;
  if (gang_.restored) {
    turn.restored = at;
    return;
  }
  Step& step = add_step(turn, RuleId::kSubmitted, State::kPending, at);
  step.commands.push_back(gang_.ask<Persist>());
  step.commands.emplace_back(gang_.start());
}

void MindCluster::take_up(Turn& turn) {
  gang_.pods = PodGang::Pods::kLive;
  if (turn.runs_on) {
    add_step(turn, RuleId::kRestored, State::kRunning, *turn.restored).saw.push_back(*turn.runs_on);
    return;
  }
  add_step(turn, RuleId::kRestored, State::kJobRescheduling, *turn.restored);
  plan_ = Plan::kJob;
  advance(turn, *turn.restored);
}

void MindCluster::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (turn.restored && gang_.is_current(running.job, running.epoch)) {
    turn.runs_on = at;
    return;
  }
  if (!gang_.is_live(running) || state_ == State::kRunning) {
    turn.not_current.push_back(at);
    return;
  }
  plan_ = Plan::kNone;
  patience_us_.reset();
  anew_ = {};
  add_step(turn, RuleId::kRunning, State::kRunning, at);
}

void MindCluster::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (!gang_.is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  const bool placed =
      failed.stage != StartStage::kClusterCheck && failed.stage != StartStage::kPlacement;
  if (state_ == State::kPodRescheduling && !placed) {
    gang_.pods = PodGang::Pods::kKept;
    add_step(turn, RuleId::kPodPending, State::kJobRescheduling, at);
    plan_ = Plan::kJob;
    advance(turn, at);
  } else if (!placed) {
    add_step(turn, RuleId::kUnschedulable, state_, at);
  } else {
    turn.faulty.add(failed.ranks);
    turn.exit = at;
  }
}

void MindCluster::on(Turn& turn, Index at, const WorkersFailed& failed) {
  if (!gang_.is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.faulty.add(failed.ranks);
  if (failed.kind == WorkerFailure::kNodeLost) {
    turn.hardware = at;
    turn.cause = failed.preempted ? ChargeCause::kPreemption : ChargeCause::kNode;
    turn.retryable = false;
    turn.in_place = false;
  } else if (!turn.exit) {
    turn.exit = at;
  }
}

void MindCluster::on(Turn& turn, Index at, const WorkersFinished& finished) {
  const auto all = gang_.finish(finished);
  if (!all) {
    turn.not_current.push_back(at);
  } else if (*all) {
    add_step(turn, RuleId::kCompleted, State::kCompleted, at)
        .commands.push_back(gang_.ask<Complete>());
  }
}

void MindCluster::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  if (!gang_.stopped(stopped)) {
    turn.not_current.push_back(at);
    return;
  }
  advance(turn, at);
}

void MindCluster::on(Turn& turn, Index at, const NodeUnreachable& lost) {
  if (lost.ranks.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  turn.faulty.add(lost.ranks);
  turn.hardware = at;
  turn.cause = lost.preempted ? ChargeCause::kPreemption : ChargeCause::kNode;
  turn.retryable = false;
  turn.in_place = false;
  add_step(turn, RuleId::kNodeLost, state_, at);
}

void MindCluster::on(Turn& turn, Index at, const HangSuspected& hang) {
  if (!gang_.is_current(hang.job, hang.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  add_step(turn, RuleId::kHangReported, state_, at)
      .commands.push_back(gang_.ask<Notify>("the job hangs"));
}

void MindCluster::on(Turn& turn, Index at, const Timer& /*timer*/) {
  const TimeUs now_us = turn.batch.t_us;
  std::vector<Lasting> due;
  std::erase_if(lasting_, [&](const Lasting& one) {
    const bool over = one.due_us <= now_us;
    if (over) {
      due.push_back(one);
    }
    return over;
  });
  for (const Lasting& one : due) {
    add_step(turn, RuleId::kDuration, state_, at);
    handle(turn, at, one.fault, {.level = one.level});
  }
  if (patience_us_ && *patience_us_ <= now_us) {
    patience_us_.reset();
    turn.failed_step = at;
  }
  release(turn, at);
}

void MindCluster::on(Turn& turn, Index at, const StopRequested& /*stop*/) {
  add_step(turn, RuleId::kStopped, State::kTerminated, at)
      .commands.push_back(gang_.ask<Fail>("stopped_by_user"));
}

void MindCluster::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error == CommandError::kNone) {
    return;
  }
  add_step(turn, RuleId::kCommandFailed, state_, at);
  if (state_ == State::kRecovering && gang_.take_back(result)) {
    patience_us_.reset();
    turn.failed_step = at;  // the step after this one is to be taken
  }
}

}  // namespace aftershock::policies::mindcluster
