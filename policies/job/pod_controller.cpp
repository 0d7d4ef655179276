#include "policies/job/pod_controller.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/charge_causes.h"
#include "policies/parts/exit_codes.h"
#include "policies/parts/field_json.h"
#include "policies/parts/turns.h"

namespace aftershock::policies::job {
namespace {

// Of a memory that speaks of pods or causes that cannot be, these are left out.
void bound(JobObject& job, const RankSet& own) {
  constexpr auto kCauseCount = static_cast<std::uint32_t>(EnumNames<ChargeCause>::kNames.size());
  for (std::vector<UnseenPods>* list : {&job.unseen, &job.delayed}) {
    for (UnseenPods& pods : *list) {
      pods.pods = pods.pods.shared_with(own);
    }
    std::erase_if(*list, [](const UnseenPods& pods) {
      return pods.pods.empty() || pods.cause >= kCauseCount;
    });
  }
  if (job.target && job.target->cause >= kCauseCount) {
    job.target.reset();
  }
}

}  // namespace

PodController::PodController(std::vector<Child> children, const SetRules& set)
    : children_(std::move(children)), set_(set) {}

// A change is stored in the moment in which it is made: it is the status of objects.
nlohmann::json PodController::durable(TimeUs /*at_us*/) const {
  return field_json(Stored{memory_, pods_.objects()});
}

Decision PodController::on_events(const Batch& batch, const View& /*view*/) {
  Turn turn{.batch = batch};
  if (is_terminal(state_)) {
    return std::move(turn.decision);
  }
  turn.woken_by = woken_by(batch);
  sync_due(turn);
  pass(turn);
  each_event(
      batch, [this] { return is_terminal(state_); },
      [&](Index at, const auto& event) { on(turn, at, event); });
  turn.woken_by = woken_by(batch, turn.not_current);
  if (turn.restored) {
    take_up(turn);
  }
  settle(turn);
  show_state(turn);
  const auto note = [&](Common rule, std::vector<Index>& events) {
    if (!events.empty() && !is_terminal(state_)) {
      add_step(turn, rule, 0).saw = std::move(events);
    }
  };
  note(Common::kNotHeard, turn.not_heard);
  note(Common::kNotCurrent, turn.not_current);
  if (!is_terminal(state_)) {
    turn.decision.watch = watch(batch.t_us);
  }
  memory_.epoch = pods_.gang().epoch;
  return std::move(turn.decision);
}

// Controllers and pods answer each other until nobody has more to say at this moment.
void PodController::settle(Turn& turn) {
  bool moved = true;
  while (moved && !is_terminal(state_)) {
    sync_due(turn);
    moved = jobs_changed(turn);
    moved = (!is_terminal(state_) && gang().submitted && advance(turn)) || moved;
  }
}

bool PodController::jobs_changed(Turn& turn) {
  if (!turn.failed.empty()) {
    children_failed(turn);
    turn.failed.clear();
    return true;
  }
  if (std::exchange(turn.completed, false) &&
      std::ranges::all_of(memory_.jobs, &JobObject::complete)) {
    end_step(turn, static_cast<std::uint16_t>(Common::kComplete), State::kComplete, turn.woken_by)
        .commands.push_back(gang().ask<Complete>());
    return true;
  }
  return recreate_jobs(turn.batch.t_us);
}

State PodController::state_now() const {
  const pods::PodObjects& pods = pods_.objects();
  if (pods_.gang().moving()) {
    return State::kTerminating;
  }
  if (!pods_.live() || pods.unmet) {
    return State::kRecovering;
  }
  if (!pods_.running()) {
    return State::kPending;
  }
  const bool whole = pods.lost.empty() && pods.ended.empty() && pods.deleted.empty();
  return whole ? State::kRunning : State::kRecovering;
}

// The state is that of all pods together, after the last step of the moment.
void PodController::show_state(Turn& turn) {
  if (is_terminal(state_) || !gang().submitted) {
    return;
  }
  const State now = state_now();
  if (now == state_) {
    return;
  }
  if (turn.decision.steps.empty()) {
    add_step(turn, Common::kStopped, turn.stopped.value_or(turn.woken_by));
  }
  turn.decision.steps.back().to_state = static_cast<std::uint16_t>(now);
  state_ = now;
}

Watch PodController::watch(TimeUs now_us) const {
  Watch watch;
  if (pods_.live() && (state_ == State::kRunning || state_ == State::kRecovering)) {
    watch.futures = FuturesWatch{.epoch = pods_.gang().epoch};
  }
  const auto wake = [&watch](TimeUs at_us) {
    watch.wake_us = std::min(watch.wake_us.value_or(at_us), at_us);
  };
  if (next_sync_us_) {
    wake(std::max(*next_sync_us_, now_us));
  }
  if (const auto due_us = pods_.next_due_us()) {
    wake(*due_us);
  }
  if (!pods_.live()) {
    for (const JobQueue& queue : queues_) {
      if (queue.delayed_us && (!watch.backoff || *queue.delayed_us > watch.backoff->until_us)) {
        watch.backoff = Backoff{.since_us = whole_second(queue.failed_us),
                                .until_us = *queue.delayed_us,
                                .longest_us = kLongestBackoffUs};
      }
    }
  }
  return watch;
}

Step& PodController::add_step(Turn& turn, std::uint16_t rule, Index at) {
  turn.created = false;
  return append_step(turn.decision, rule, state_, state_, at);
}

Step& PodController::end_step(Turn& turn, std::uint16_t rule, State to, Index at) {
  return append_step(turn.decision, rule, state_, to, at);
}

void PodController::fail(Step& step, std::string reason) {
  step.commands.push_back(gang().ask<Fail>(std::move(reason)));
}

void PodController::on(Turn& turn, Index at, const ControllerStarted& started) {
  Stored stored;
  if (!gang().start_controller(started, stored)) {
    turn.not_current.push_back(at);
    return;
  }
  memory_ = stored;
  left_ = std::move(stored);
}

void PodController::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (!gang().submit(submitted)) {
    turn.not_current.push_back(at);
    return;
  }
  lay_out(submitted.workers);
  if (gang().restored && memory_.jobs.size() == children_.size()) {
    turn.restored = at;
    return;
  }
  memory_.jobs.assign(children_.size(), {});
  queues_.assign(children_.size(), {});
  add_step(turn, Common::kCreated, at).commands.push_back(gang().ask<Persist>());
  turn.created = true;
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    create_job(child, turn.batch.t_us);
  }
}

// Pods run, start and go without anybody who looks after them. Where processes do not run their
// pods are gone, and nobody has seen them fail. A controller has forgotten its delays.
void PodController::take_up(Turn& turn) {
  queues_.assign(children_.size(), {.begun = true});
  deleting_ =
      static_cast<std::uint32_t>(std::ranges::count(memory_.jobs, true, &JobObject::deleting));
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    request(child, turn.batch.t_us);
  }
  Step& step = add_step(turn, Common::kRestored, *turn.restored);
  pods_.take_up(*std::exchange(left_, std::nullopt), turn.runs_on.has_value());
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    bound(memory_.jobs[child], pods_of(child));
  }
  if (turn.runs_on) {
    step.saw.push_back(*turn.runs_on);
    return;
  }
  for (JobObject& job : memory_.jobs) {
    job.unseen.clear();
    job.delayed.clear();
  }
}

void PodController::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (turn.restored && gang().is_current(running.job, running.epoch)) {
    turn.runs_on = at;
    return;
  }
  if (!gang().is_live(running) || pods_.running() || pods_.objects().unmet) {
    turn.not_current.push_back(at);
    return;
  }
  pods_.met();
  touch(pods_.alive(), turn.batch.t_us);
  add_step(turn, Common::kRunning, at);
}

void PodController::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (!gang().is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  if (failed.stage == StartStage::kClusterCheck || failed.stage == StartStage::kPlacement) {
    add_step(turn, Common::kUnschedulable, at)
        .rejected.push_back({"fail", "pods are Pending for as long as no node takes them"});
    return;
  }
  const RankSet ranks = failed.ranks.empty() ? RankSet::range(0, gang().workers) : failed.ranks;
  process_failed(turn, at, pods_.pods_with(ranks).without(pods_.absent()), {.exit_code = 1},
                 ChargeCause::kApplication);
  if (!is_terminal(state_)) {
    pods_.wait_for_others();
  }
}

void PodController::on(Turn& turn, Index at, const WorkersFailed& failed) {
  if (!gang().is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  const RankSet pods = pods_.pods_with(failed.ranks);
  if (failed.kind != WorkerFailure::kNodeLost) {
    process_failed(turn, at, pods, {.exit_code = exit_code_of(failed)}, cause_of(failed));
  } else if (failed.preempted) {
    pods_failed(turn, at, pods, {.exit_code = {}, .disrupted = true}, ChargeCause::kPreemption);
  } else {
    pods_lost(turn, at, pods, false);
  }
}

void PodController::on(Turn& turn, Index at, const NodeUnreachable& lost) {
  const RankSet pods = lost.ranks.empty() ? RankSet() : pods_.pods_with(lost.ranks);
  const PodEnd disrupted{.exit_code = {}, .disrupted = true};
  if (pods.empty() || (!lost.removed && !pods_.live())) {
    turn.not_current.push_back(at);
  } else if (lost.removed) {
    objects_gone(turn, at, pods, disrupted);
  } else if (lost.preempted) {
    pods_failed(turn, at, pods, disrupted, ChargeCause::kPreemption);
  } else {
    pods_lost(turn, at, pods, lost.stays);
  }
}

// The taint goes with the node's silence, and no eviction that is to come outlives it.
void PodController::on(Turn& turn, Index at, const NodeJoined& joined) {
  const RankSet pods = joined.ranks.empty() ? RankSet() : pods_.pods_with(joined.ranks);
  if (!kubelet_back(turn, at, pods, joined.alive)) {
    turn.not_current.push_back(at);
  }
}

// Their Job is Complete when it has looked at them.
void PodController::on(Turn& turn, Index at, const WorkersFinished& finished) {
  if (!gang().finish(finished)) {
    turn.not_current.push_back(at);
    return;
  }
  const RankSet done = pods_.finished();
  each_child(done, [&](std::uint32_t child, const RankSet& /*share*/) {
    queues_[child].succeeded_us = turn.batch.t_us;
  });
  touch(done, turn.batch.t_us);
}

void PodController::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  if (!gang().stopped(stopped)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.stopped = at;
  if (gang().pods == PodGang::Pods::kNone) {
    touch(pods_.stopped(), turn.batch.t_us);
  }
}

void PodController::on(Turn& turn, Index at, const StopRequested& /*stop*/) {
  fail(end_step(turn, static_cast<std::uint16_t>(Common::kDeleted), State::kDeleted, at),
       "stopped_by_user");
}

void PodController::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error != CommandError::kNone) {
    add_step(turn, Common::kCommandFailed, at);
  }
}

}  // namespace aftershock::policies::job
