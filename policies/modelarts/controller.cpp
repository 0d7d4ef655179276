#include "policies/modelarts/controller.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/modelarts/chips.h"
#include "policies/parts/turns.h"

namespace aftershock::policies::modelarts {

ModelArts::ModelArts(Config config) : config_(std::move(config)) {}

// A change is stored in the moment in which it is made, as a database does it.
nlohmann::json ModelArts::durable(TimeUs /*at_us*/) const { return to_json(memory_); }

std::vector<BudgetState> ModelArts::budgets() const {
  return {{memory_.job_retries, config_.job_retry_num.value_or(0)},
          {memory_.pod_retries, config_.pod_retry_num},
          {memory_.unconditional_runs, kRunLimit},
          {memory_.hang_runs, hang_limit()}};
}

std::unique_ptr<Policy> ModelArts::clone() const { return std::make_unique<ModelArts>(*this); }

Decision ModelArts::on_events(const Batch& batch, const View& /*view*/) {
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
  settle(turn);
  if (!turn.not_current.empty() && !is_terminal(state_)) {
    add_step(turn, RuleId::kEventNotCurrent, state_, 0).saw = std::move(turn.not_current);
  }
  if (!is_terminal(state_)) {
    turn.decision.watch = watch();
  }
  return std::move(turn.decision);
}

Watch ModelArts::watch() const {
  Watch watch;
  const bool runs = state_ == State::kRunning;
  if (runs || state_ == State::kExitHeld) {
    watch.futures = FuturesWatch{.epoch = memory_.epoch};
  }
  if (may_hang()) {
    watch.hang = HangWatch{.anchor_us = attempt_since_us_,
                           .period_us = config_.hang_poll_us,
                           .after_us = config_.hang_after_us,
                           .by_activity = true};
  }
  const bool counts = (memory_.hang_runs > 0 && !config_.readings.hangs_never_reset) ||
                      (memory_.unconditional_runs > 0 && config_.readings.progress_resets) ||
                      config_.readings.start_hangs_ignored;
  if (runs && counts && !progressed_) {
    watch.progress = ProgressWatch{.epoch = memory_.epoch};
  }
  if (memory_.held_until_us != 0) {
    watch.wake_us = memory_.held_until_us;
  }
  if (config_.readings.released_after_48h && !memory_.isolated.empty()) {
    const TimeUs due_us = memory_.isolated.front().since_us + kIsolationUs;
    watch.wake_us = std::min(watch.wake_us.value_or(due_us), due_us);
  }
  return watch;
}

// The platform looks at all instances of a job, whether it computes already or not (A30).
bool ModelArts::may_hang() const {
  return pods_ == Pods::kLive && (state_ == State::kRunning || state_ == State::kStarting ||
                                  state_ == State::kIprRelaunch || state_ == State::kHrRelaunch ||
                                  state_ == State::kPrReschedule || state_ == State::kJobStart);
}

// The last request found no nodes: the pods are as they were.
void ModelArts::nothing_scheduled() {
  if (!memory_.pods_before.empty()) {
    memory_.pods = std::exchange(memory_.pods_before, {});
  }
}

bool ModelArts::is_current(JobId job, Epoch epoch) const {
  return job_known_ && job == job_ && epoch == memory_.epoch;
}

void ModelArts::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (job_known_) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = started.job;
  job_known_ = true;
  // Unreadable memory is lost, and the job begins as a new one.
  if (auto memory = memory_from_text(started.durable); memory && memory->epoch > 0) {
    memory_ = *std::move(memory);
    restored_ = true;
  }
  memory_.epoch = std::max(memory_.epoch, started.epoch);
}

void ModelArts::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (submitted_ || (job_known_ && submitted.job != job_)) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = submitted.job;
  job_known_ = true;
  submitted_ = true;
  if (restored_) {
    turn.restored = at;
    return;
  }
  memory_.workers = submitted.workers;
  memory_.pods = {{.ranks = RankSet::range(0, submitted.workers)}};
  ++memory_.epoch;
  pods_ = Pods::kLive;
  Step& step = add_step(turn, RuleId::kSubmitted, State::kStarting, at);
  step.commands.emplace_back(Persist{++last_command_, job_});
  step.commands.emplace_back(StartAttempt{.id = ++last_command_,
                                          .job = job_,
                                          .epoch = memory_.epoch,
                                          .workers = memory_.workers,
                                          .env = env_of(memory_.pods)});
  attempt_since_us_ = turn.batch.t_us;
}

// Pods that ran on without a control plane are left alone; of all others nobody knows how far they
// are, so they go and the job is made anew.
void ModelArts::take_up(Turn& turn) {
  pods_ = Pods::kLive;
  if (turn.runs_on) {
    attempt_since_us_ = turn.batch.t_us;
    // An exit that was held still is.
    const State state = memory_.held_until_us != 0 ? State::kExitHeld : State::kRunning;
    add_step(turn, RuleId::kRestored, state, *turn.restored).saw.push_back(*turn.runs_on);
    return;
  }
  memory_.held_until_us = 0;
  plan_ = Plan::kJob;
  add_step(turn, RuleId::kRestored, State::kJobTeardown, *turn.restored);
  advance(turn, *turn.restored);
}

void ModelArts::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (turn.restored && is_current(running.job, running.epoch)) {
    turn.runs_on = at;
    return;
  }
  if (pods_ != Pods::kLive || state_ == State::kRunning ||
      !is_current(running.job, running.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  plan_ = Plan::kNone;
  progressed_ = false;
  attempt_since_us_ = turn.batch.t_us;
  finished_ = {};
  new_pods_ = {};
  memory_.pods_before.clear();
  add_step(turn, RuleId::kRunning, State::kRunning, at);
}

void ModelArts::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (pods_ != Pods::kLive || !is_current(failed.job, failed.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  const bool placed =
      failed.stage != StartStage::kClusterCheck && failed.stage != StartStage::kPlacement;
  turn.unplaced = !placed;
  if (plan_ == Plan::kPods) {
    if (!placed) {
      pods_ = Pods::kKept;  // the containers of all others are there as they were
      nothing_scheduled();
    }
    turn.pods_failed = at;
  } else if (!placed) {
    pods_ = Pods::kNone;
    fail(turn, at, RuleId::kNoResource);
  } else {
    note_exit(turn, at, std::string(name_of(failed.why)));
  }
}

void ModelArts::on(Turn& turn, Index at, const WorkersFailed& failed) {
  if (!is_current(failed.job, failed.epoch) || pods_ != Pods::kLive) {
    turn.not_current.push_back(at);
    return;
  }
  note_exit(turn, at,
            std::string(name_of(failed.kind)) + ' ' + std::to_string(failed.exit_code) + ' ' +
                failed.error);
}

void ModelArts::on(Turn& turn, Index at, const WorkersFinished& finished) {
  if (!is_current(finished.job, finished.epoch) || pods_ != Pods::kLive) {
    turn.not_current.push_back(at);
    return;
  }
  finished_.add(finished.ranks);
  if (finished_.size() == memory_.workers) {
    add_step(turn, RuleId::kCompleted, State::kCompleted, at)
        .commands.emplace_back(Complete{++last_command_, job_});
  }
}

void ModelArts::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  if (!is_current(stopped.job, stopped.epoch) ||
      (pods_ != Pods::kStopping && pods_ != Pods::kRemoving)) {
    turn.not_current.push_back(at);
    return;
  }
  pods_ = pods_ == Pods::kStopping ? Pods::kKept : Pods::kNone;
  if (stopped.unplaced) {
    nothing_scheduled();
  }
  turn.stopped = at;
}

void ModelArts::on(Turn& turn, Index at, const DeviceFault& fault) {
  if (fault.ranks.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  const bool by_user = caused_by_user(config_, memory_, fault, turn.batch.t_us);
  const ChipVerdict verdict = judge(config_, memory_, fault, turn.batch.t_us);
  const auto faulty = [&](RuleId rule) {
    turn.faulty.push_back({.at = at, .rule = rule, .node = fault.node, .ranks = fault.ranks});
  };
  switch (verdict) {
    case ChipVerdict::kNothing:
      add_step(turn, RuleId::kChipHint, state_, at);
      return;
    case ChipVerdict::kUnlistedMinor:
      add_step(turn, RuleId::kChipUnlistedMinor, state_, at);
      return;
    case ChipVerdict::kGpuApplication:
      add_step(turn, RuleId::kChipGpuApplication, state_, at);
      return;
    case ChipVerdict::kHeal:
      turn.chips.push_back({.at = at,
                            .node = fault.node,
                            .accelerator = fault.accelerator,
                            .code = fault.code,
                            .ranks = fault.ranks,
                            .by_user = by_user});
      break;
    case ChipVerdict::kThird:
      faulty(RuleId::kThirdFault);
      break;
    case ChipVerdict::kThirdUser:
      turn.third_user = at;
      if (config_.readings.user_as_unconditional) {
        return;
      }
      break;
    case ChipVerdict::kCritical:
      faulty(RuleId::kIsolateCritical);
      break;
    case ChipVerdict::kUnlistedCritical:
      faulty(RuleId::kIsolateUnlisted);
      break;
    case ChipVerdict::kGpu:
      faulty(RuleId::kIsolateGpu);
      break;
  }
  memory_.unconditional_runs = 0;  // a hardware fault that shows is another problem (D4)
}

void ModelArts::on(Turn& turn, Index at, const NodeUnreachable& lost) {
  if (lost.ranks.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  turn.faulty.push_back(
      {.at = at, .rule = RuleId::kIsolateNode, .node = lost.node, .ranks = lost.ranks});
  memory_.unconditional_runs = 0;
}

void ModelArts::on(Turn& turn, Index at, const SelfHealResult& result) {
  const bool waits = std::ranges::find(healing_, result.command, &Chip::command) != healing_.end();
  if (!waits || result.command == 0) {
    turn.not_current.push_back(at);
    return;
  }
  heal_result(turn, at, result.command, result.healed);
}

void ModelArts::heal_result(Turn& turn, Index at, CommandId command, bool healed) {
  const auto chip = std::ranges::find(healing_, command, &Chip::command);
  chip->healed = healed;
  if (state_ == State::kIprSelfHeal) {
    all_healed_or_not(turn, at);
    return;
  }
  const Chip known = *chip;
  healing_.erase(chip);
  healed_before_scheduling(turn, at, known);
}

void ModelArts::on(Turn& turn, Index at, const HangSuspected& hang) {
  if (!is_current(hang.job, hang.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.hang = at;
}

void ModelArts::on(Turn& turn, Index at, const CheckpointDurable& durable) {
  if (!is_current(durable.job, durable.epoch) || state_ != State::kRunning) {
    turn.not_current.push_back(at);
    return;
  }
  progressed_ = true;
  const Readings& readings = config_.readings;
  const bool hangs = memory_.hang_runs > 0 && !readings.hangs_never_reset;
  const bool exits = memory_.unconditional_runs > 0 && readings.progress_resets;
  memory_.hang_runs = hangs ? 0 : memory_.hang_runs;
  memory_.unconditional_runs = exits ? 0 : memory_.unconditional_runs;
  if (hangs || exits) {
    add_step(turn, RuleId::kProgress, state_, at);
  }
}

void ModelArts::on(Turn& turn, Index at, const Timer& /*timer*/) {
  if (memory_.held_until_us != 0 && memory_.held_until_us <= turn.batch.t_us) {
    memory_.held_until_us = 0;
    turn.exit = at;
    turn.hold_over = true;
  }
  release(turn, at);
}

void ModelArts::on(Turn& turn, Index at, const StopRequested& /*stop*/) {
  Step& step = add_step(turn, RuleId::kStopped, State::kTerminated, at);
  step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
}

void ModelArts::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error == CommandError::kNone) {
    return;
  }
  add_step(turn, RuleId::kCommandFailed, state_, at);
  if (std::ranges::find(healing_, result.command, &Chip::command) != healing_.end()) {
    heal_result(turn, at, result.command, false);  // nobody knows that it is well
  }
}

}  // namespace aftershock::policies::modelarts
