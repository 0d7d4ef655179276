#include "policies/job/pod_controller.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/exit_codes.h"
#include "policies/parts/field_json.h"
#include "policies/parts/turns.h"

namespace aftershock::policies::job {
namespace {

// The exit code of a pod is looked at: a watchdog's kill does not count as a cause of its own.
ChargeCause cause_of(const WorkersFailed& failed) {
  if (failed.preempted) {
    return ChargeCause::kPreemption;
  }
  return failed.kind == WorkerFailure::kAcceleratorFault ? ChargeCause::kDevice
                                                         : ChargeCause::kApplication;
}

}  // namespace

PodController::PodController(std::vector<Child> children, const ObjectRules& objects)
    : children_(std::move(children)), objects_(objects) {}

// A change is stored in the moment in which it is made: it is the status of objects.
nlohmann::json PodController::durable(TimeUs /*at_us*/) const { return field_json(memory_); }

Decision PodController::on_events(const Batch& batch, const View& /*view*/) {
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
  hold_failures(turn);
  if (!turn.failed.empty() && !is_terminal(state_)) {
    children_failed(turn);
  }
  const Index acted_on = first_heard(turn);
  const auto note = [&](Common rule, std::vector<Index>& events) {
    if (!events.empty() && !is_terminal(state_)) {
      add_step(turn, rule, state_, 0).saw = std::move(events);
    }
  };
  note(Common::kNotHeard, turn.not_heard);
  note(Common::kNotCurrent, turn.not_current);
  if (!is_terminal(state_)) {
    advance(turn, acted_on);
    turn.decision.watch = watch(batch.t_us);
  }
  memory_.epoch = gang_.epoch;
  return std::move(turn.decision);
}

// The end of a delay is put down to the event that woke the controller, not to events that say
// nothing.
PodController::Index PodController::first_heard(const Turn& turn) {
  const auto is_noted = [&turn](Index at) {
    return std::ranges::find(turn.not_current, at) != turn.not_current.end() ||
           std::ranges::find(turn.not_heard, at) != turn.not_heard.end();
  };
  Index at = 0;
  while (at < turn.batch.events.size() && is_noted(at)) {
    ++at;
  }
  return at < turn.batch.events.size() ? at : Index{0};
}

Watch PodController::watch(TimeUs now_us) const {
  Watch watch;
  if (gang_.pods == PodGang::Pods::kLive &&
      (state_ == State::kRunning || state_ == State::kRecovering)) {
    watch.futures = FuturesWatch{.epoch = gang_.epoch};
  }
  const auto wake = [&watch](TimeUs at_us) {
    watch.wake_us = std::min(watch.wake_us.value_or(at_us), at_us);
  };
  if (memory_.gang_broken && !gang_.moving() && held_.empty()) {
    wake(memory_.due_us);
    if (memory_.due_us > now_us) {
      watch.backoff = Backoff{.since_us = delayed_since_us_,
                              .until_us = memory_.due_us,
                              .longest_us = kLongestBackoffUs};
    }
  }
  if (!memory_.lost.empty()) {
    wake(memory_.lost.front().due_us);
  }
  if (const auto due_us = deadline_us();
      due_us && gang_.pods != PodGang::Pods::kNone && held_.empty()) {
    wake(*due_us);
  }
  return watch;
}

std::optional<std::uint32_t> PodController::next_deadline() const {
  std::optional<std::uint32_t> next;
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    const auto& deadline_us = children_[child].spec.active_deadline_us;
    if (deadline_us && (!next || *deadline_us < *children_[*next].spec.active_deadline_us)) {
      next = child;
    }
  }
  return next;
}

std::optional<TimeUs> PodController::deadline_us() const {
  const auto child = next_deadline();
  return child && memory_.started_us
             ? std::optional(*memory_.started_us + *children_[*child].spec.active_deadline_us)
             : std::nullopt;
}

Step& PodController::add_step(Turn& turn, std::uint16_t rule, State to, Index at) {
  return append_step(turn.decision, rule, state_, to, at);
}

void PodController::fail(Step& step, std::string reason) {
  step.commands.push_back(gang_.ask<Fail>(std::move(reason)));
}

void PodController::begin_anew() {
  memory_.children.assign(children_.size(), {});
  memory_.started_us.reset();
}

void PodController::restart(RankSet anew) {
  memory_.gang_broken = true;
  memory_.due_us = 0;
  memory_.lost.clear();
  memory_.staying = {};
  memory_.deleted = {};
  anew_ = ranks_of(anew);
}

void PodController::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (!gang_.start_controller(started, memory_)) {
    turn.not_current.push_back(at);
  }
}

void PodController::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (!gang_.submit(submitted)) {
    turn.not_current.push_back(at);
    return;
  }
  lay_out(submitted.workers);
  if (gang_.restored && memory_.children.size() == children_.size()) {
    turn.restored = at;
    return;
  }
  begin_anew();
  memory_.started_us = turn.batch.t_us;
  Step& step = add_step(turn, Common::kCreated, State::kPending, at);
  step.commands.push_back(gang_.ask<Persist>());
  step.commands.emplace_back(gang_.start());
}

// Pods run, start and go without anybody who looks after them. Where they do not run there is none
// that a new controller would find, and all of them are made anew.
void PodController::take_up(Turn& turn) {
  gang_.pods = PodGang::Pods::kLive;
  if (turn.runs_on) {
    const State state = memory_.broken.empty() ? State::kRunning : State::kRecovering;
    add_step(turn, Common::kRestored, state, *turn.restored).saw.push_back(*turn.runs_on);
    return;
  }
  add_step(turn, Common::kRestored, State::kRecovering, *turn.restored);
  restart(all_pods());
}

void PodController::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (turn.restored && gang_.is_current(running.job, running.epoch)) {
    turn.runs_on = at;
    return;
  }
  if (!gang_.is_live(running) || state_ != State::kPending) {
    turn.not_current.push_back(at);
    return;
  }
  add_step(turn, Common::kRunning, State::kRunning, at);
}

void PodController::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (!gang_.is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  if (failed.stage == StartStage::kClusterCheck || failed.stage == StartStage::kPlacement) {
    add_step(turn, Common::kUnschedulable, state_, at)
        .rejected.push_back({"fail", "pods are Pending for as long as no node takes them"});
    return;
  }
  const RankSet ranks = failed.ranks.empty() ? RankSet::range(0, gang_.workers) : failed.ranks;
  pods_failed(turn, at, pods_with(ranks), {.exit_code = 1}, ChargeCause::kApplication);
  // The others have not met yet: they go with it rather than wait for what never comes.
  memory_.gang_broken = !index_missing();
  anew_ = ranks_of(all_pods());
}

void PodController::on(Turn& turn, Index at, const WorkersFailed& failed) {
  if (!gang_.is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  const RankSet pods = pods_with(failed.ranks);
  if (failed.kind == WorkerFailure::kNodeLost && !failed.preempted) {
    pods_lost(turn, at, pods);
    return;
  }
  const bool disrupted = failed.kind == WorkerFailure::kNodeLost;
  const PodEnd end{.exit_code = disrupted ? std::nullopt : std::optional(exit_code_of(failed)),
                   .disrupted = disrupted};
  pods_failed(turn, at, pods, end, cause_of(failed));
}

void PodController::on(Turn& turn, Index at, const NodeUnreachable& lost) {
  if (lost.ranks.empty() || gang_.pods != PodGang::Pods::kLive) {
    turn.not_current.push_back(at);
  } else if (lost.removed) {
    objects_gone(turn, at, pods_with(lost.ranks));
  } else if (lost.preempted) {
    pods_failed(turn, at, pods_with(lost.ranks), {.exit_code = {}, .disrupted = true},
                ChargeCause::kPreemption);
  } else {
    const RankSet pods = pods_with(lost.ranks);
    memory_.staying.add(lost.stays ? pods : RankSet());
    pods_lost(turn, at, pods);
  }
}

// The taint goes with the node's silence, and no eviction that is to come outlives it. Pods whose
// processes ended with the node have failed by themselves.
void PodController::on(Turn& turn, Index at, const NodeJoined& joined) {
  const RankSet pods = joined.ranks.empty() ? RankSet() : pods_with(joined.ranks);
  const bool ends = kubelet_ends(turn, at, pods);
  const RankSet back = pods.shared_with(lost_pods());
  if (ends && back.empty()) {
    return;
  }
  if (back.empty() || gang_.pods != PodGang::Pods::kLive) {
    turn.not_current.push_back(at);
    return;
  }
  if (!joined.alive) {
    pods_failed(turn, at, back, {.exit_code = kEndedWithNode}, ChargeCause::kNode);
    return;
  }
  forget_lost(back);
  const bool whole = memory_.lost.empty() && memory_.broken.empty();
  add_step(turn, Common::kReachedAgain,
           whole && state_ == State::kRecovering ? State::kRunning : state_, at);
}

void PodController::on(Turn& turn, Index at, const WorkersFinished& finished) {
  const auto all = gang_.finish(finished);
  if (!all) {
    turn.not_current.push_back(at);
  } else if (*all) {
    add_step(turn, Common::kComplete, State::kComplete, at)
        .commands.push_back(gang_.ask<Complete>());
  }
}

void PodController::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  if (!gang_.stopped(stopped)) {
    turn.not_current.push_back(at);
    return;
  }
  memory_.gang_broken = false;
  memory_.broken = {};
  memory_.disrupted = {};
  memory_.lost.clear();
  memory_.staying = {};
  memory_.deleted = {};
  memory_.due_us = 0;
  memory_.started_us = memory_.started_us.value_or(turn.batch.t_us);
  Step& step = add_step(turn, Common::kStarted, State::kPending, at);
  if (gang_.pods == PodGang::Pods::kNone) {
    step.commands.emplace_back(gang_.start());
  } else {
    step.commands.emplace_back(anew_.empty() ? gang_.restart() : gang_.recreate(anew_));
  }
}

void PodController::on(Turn& turn, Index at, const Timer& /*timer*/) {
  while (!memory_.lost.empty() && memory_.lost.front().due_us <= turn.batch.t_us) {
    const RankSet pods = std::exchange(memory_.lost.front().pods, {});
    memory_.lost.erase(memory_.lost.begin());
    evict(turn, at, pods);
  }
  const auto due_us = deadline_us();
  if (due_us && held_.empty() && gang_.pods != PodGang::Pods::kNone && *due_us <= turn.batch.t_us) {
    turn.failed.push_back({.at = at,
                           .child = *next_deadline(),
                           .reason = "DeadlineExceeded",
                           .message = "Job was active longer than specified deadline"});
  }
}

void PodController::on(Turn& turn, Index at, const StopRequested& /*stop*/) {
  fail(add_step(turn, Common::kDeleted, State::kDeleted, at), "stopped_by_user");
}

void PodController::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error != CommandError::kNone) {
    add_step(turn, Common::kCommandFailed, state_, at);
  }
}

// Makes anew what is due. Missing pods are asked for, and their result comes back as an event.
void PodController::advance(Turn& turn, Index at) {
  if (!memory_.gang_broken || gang_.moving() || !held_.empty() ||
      memory_.due_us > turn.batch.t_us) {
    return;
  }
  Step& step = add_step(turn, Common::kRecreate, State::kTerminating, at);
  const DurationUs grace_us = children_.front().spec.grace_us;
  const bool whole = anew_.size() == gang_.workers;
  step.commands.emplace_back(whole ? gang_.remove(grace_us) : gang_.stop(grace_us, anew_));
}

}  // namespace aftershock::policies::job
