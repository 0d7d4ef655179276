#include "policies/parts/pod_group.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/api/json_as_text.h"
#include "policies/parts/turns.h"

// The events that a controller of pods is told.
namespace aftershock::policies {

using nlohmann::json;

json PodGroup::durable(TimeUs /*at_us*/) const {
  if (!submitted_) {
    return {};
  }
  return {{"epoch", epoch_}, {"workers", workers_}, {"memory", memory()}};
}

Decision PodGroup::on_events(const Batch& batch, const View& /*view*/) {
  Turn turn{.batch = batch};
  each_event(
      batch, [this] { return is_over(); },
      [&](Index at, const auto& event) { on(turn, at, event); });
  if (turn.taken_up && !is_over()) {
    take_up(turn);
  }
  if (turn.timer && !unmissed_.empty() && missed_by_us_ <= batch.t_us) {
    miss(turn, *turn.timer);
  }
  if (!turn.lost.empty() && !running_ && !is_over()) {
    lost_on_the_way(turn);
  }
  if (!is_over()) {
    settle(turn);
  }
  if (turn.hang && !is_over()) {
    Step& step = add_step(turn, rules_.hang_ignored, state_, *turn.hang);
    step.rejected.push_back({"restart", "no hang is looked for"});
  }
  if (turn.stopped && !is_over()) {
    advance(turn, *turn.stopped);
  }
  if (turn.missed && !is_over()) {
    add_step(turn, rules_.lost_on_the_way, state_, *turn.missed);
  }
  if (const auto released = turn.missed ? turn.missed : turn.objects_gone) {
    release(turn, *released);
  }
  if (meet_at_us_ && turn.timer && *meet_at_us_ <= batch.t_us && !is_over()) {
    meet_at_us_.reset();
    meeting_us_ = 0;
    if (met(turn, *turn.timer)) {
      advance(turn, *turn.timer);
    }
  }
  if (forming_since_us_ && !is_over() && (turn.capacity || turn.timer)) {
    form(turn, turn.capacity.value_or(turn.timer.value_or(0)));
  }
  if (!turn.not_current.empty() && !is_over()) {
    add_step(turn, rules_.not_current, state_, 0).saw = std::move(turn.not_current);
  }
  if (!is_over()) {
    turn.decision.watch = watch();
  }
  return std::move(turn.decision);
}

Watch PodGroup::watch() const {
  Watch watch;
  if (running_) {
    look_at_processes(watch);
  }
  if (forming_since_us_) {
    watch.capacity = CapacityWatch{.anchor_us = *forming_since_us_,
                                   .workers = most_workers_,
                                   .query_period_us = kSecondUs,
                                   .request_period_us = kSecondUs};
    watch.wake_us = last_call_us_.value_or(*forming_since_us_ + sizes_->join_us);
  }
  if (meet_at_us_) {
    watch.wake_us = meet_at_us_;
  }
  if (!unmissed_.empty()) {
    if (held_ && sizes_) {  // the loss of a node that is the job's no more shows in this alone
      watch.capacity = CapacityWatch{.anchor_us = missed_by_us_ - missed_after_us_,
                                     .workers = most_workers_,
                                     .query_period_us = kSecondUs,
                                     .request_period_us = kSecondUs};
    }
    watch.wake_us = std::min(watch.wake_us.value_or(missed_by_us_), missed_by_us_);
  }
  look(watch);
  return watch;
}

RankSet PodGroup::through(std::uint32_t ranks_each) const {
  RankSet all;
  for (std::uint32_t first = 0; !finished_.empty() && first < workers_; first += ranks_each) {
    const RankSet own = RankSet::range(first, std::min(first + ranks_each, workers_));
    if (own.without(finished_).empty()) {
      all.add(own);
    }
  }
  return all;
}

bool PodGroup::is_current(JobId job, Epoch epoch) const {
  return job_known_ && job == job_ && epoch == epoch_;
}

void PodGroup::on(Turn& turn, Index at, const ControllerStarted& started) {
  if (job_known_) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = started.job;
  job_known_ = true;
  epoch_ = started.epoch;
  const json stored = json_or_discarded<json>(started.durable);
  // Unreadable memory is lost, and the job begins as a new one.
  if (stored.is_object() && stored.contains("memory") &&
      stored.value("workers", json()).is_number_unsigned() &&
      stored.value("epoch", json()).is_number_unsigned()) {
    recalled_ = true;
    workers_ = stored["workers"].get<std::uint32_t>();
    epoch_ = std::max(epoch_, stored["epoch"].get<Epoch>());
    remember(stored["memory"]);
  }
}

void PodGroup::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (submitted_ || (job_known_ && submitted.job != job_)) {
    turn.not_current.push_back(at);
    return;
  }
  job_ = submitted.job;
  job_known_ = true;
  submitted_ = true;
  most_workers_ = submitted.workers;
  if (recalled_) {
    turn.taken_up = at;
    return;
  }
  workers_ = submitted.workers;
  Step& step = add_step(turn, rules_.submitted, PodGroupState::kStarting, at);
  step.commands.emplace_back(Persist{++last_command_, job_});
  plan_ = Plan::kJob;
  advance(turn, at);
}

// Pods that ran on without a controller are left alone. Of all others nobody knows how far they
// are, so they go and come again.
void PodGroup::take_up(Turn& turn) {
  pods_ = Pods::kLive;
  if (turn.runs_on) {
    running_ = true;
    running_since_us_ = turn.batch.t_us;
    launched_us_ = std::get<AttemptRunning>(turn.batch.events[*turn.runs_on])
                       .launched_us.value_or(turn.batch.t_us);
    add_step(turn, rules_.taken_up, PodGroupState::kRunning, *turn.taken_up);
    came_up();
    return;
  }
  add_step(turn, rules_.taken_up, PodGroupState::kRestarting, *turn.taken_up);
  recreate_job(turn, *turn.taken_up);
}

void PodGroup::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (turn.taken_up && is_current(running.job, running.epoch)) {
    turn.runs_on = at;
    return;
  }
  if (pods_ != Pods::kLive || running_ || !is_current(running.job, running.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  plan_ = Plan::kNone;
  running_ = true;
  running_since_us_ = turn.batch.t_us;
  launched_us_ = running.launched_us.value_or(turn.batch.t_us);
  finished_ = {};
  gone_ = agentless_;
  anew_ = {};
  leaving_ = {};
  add_step(turn, rules_.running, PodGroupState::kRunning, at);
  came_up();
}

void PodGroup::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (pods_ != Pods::kLive || running_ || !is_current(failed.job, failed.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.start_failed = at;
  launched_us_ = failed.launched_us.value_or(turn.batch.t_us);
  if (failed.stage == StartStage::kClusterCheck || failed.stage == StartStage::kPlacement) {
    turn.unplaced = true;
    // Where some pods were to be made anew the others are there as they were.
    pods_ = plan_ == Plan::kPods ? Pods::kKept : Pods::kNone;
  }
}

void PodGroup::on(Turn& turn, Index at, const WorkersFailed& failed) {
  const bool left = !running_ && failed.job == job_ && failed.epoch == unreached_epoch_;
  if (left && counts_left_ && unreached_.overlaps(failed.ranks)) {
    unreached_ = unreached_.without(failed.ranks);
    turn.left.push_back(at);
  } else if (!running_ || !is_current(failed.job, failed.epoch)) {
    turn.not_current.push_back(at);
  } else if (failed.kind == WorkerFailure::kNodeLost) {
    gone_.add(failed.ranks);
    turn.lost.push_back(at);
  } else {
    turn.failed.push_back(at);
  }
}

void PodGroup::on(Turn& turn, Index at, const WorkersFinished& finished) {
  if (!running_ || !is_current(finished.job, finished.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  finished_.add(finished.ranks);
  if (finished_.size() >= workers_) {
    add_step(turn, rules_.finished, PodGroupState::kCompleted, at)
        .commands.emplace_back(Complete{++last_command_, job_});
  } else {
    turn.some_finished = at;
  }
}

void PodGroup::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  const bool asked = pods_ == Pods::kStopping || pods_ == Pods::kRemoving;
  if (!asked || !is_current(stopped.job, stopped.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  pods_ = pods_ == Pods::kStopping ? Pods::kKept : Pods::kNone;
  unreached_ = stopped.unreachable;
  unreached_epoch_ = stopped.epoch;
  turn.stopped = at;
}

void PodGroup::on(Turn& turn, Index at, const NodeUnreachable& lost) {
  if (lost.removed) {
    objects_go(turn, at, lost.ranks);
    return;
  }
  if (lost.ranks.empty() || pods_ == Pods::kNone) {
    turn.not_current.push_back(at);
    return;
  }
  const bool unmissed = unmissed_.overlaps(lost.ranks);
  unmissed_ = unmissed_.without(lost.ranks);
  if (unmissed && !running_) {  // the plan goes without them already
    turn.missed = at;
    turn.missed_ranks.add(lost.ranks);
    return;
  }
  gone_.add(lost.ranks);
  staying_.add(lost.stays && waits_for_objects_ ? lost.ranks : RankSet());
  turn.lost.push_back(at);
}

void PodGroup::objects_go(Turn& turn, Index at, const RankSet& ranks) {
  if (!staying_.overlaps(ranks)) {
    turn.not_current.push_back(at);
    return;
  }
  staying_ = staying_.without(ranks);
  turn.objects_gone = at;
}

void PodGroup::on(Turn& turn, Index at, const NodeJoined& joined) {
  if (!running_ && !tolerates() && staying_.overlaps(joined.ranks)) {
    objects_go(turn, at, joined.ranks);
    return;
  }
  staying_ = staying_.without(joined.ranks);
  if (unmissed_.overlaps(joined.ranks) && !running_) {
    turn.missed = at;
    turn.missed_ranks.add(joined.ranks);
  }
  unmissed_ = unmissed_.without(joined.ranks);
  if (!(running_ || tolerates()) || joined.ranks.without(gone_) == joined.ranks) {
    turn.not_current.push_back(at);
    return;
  }
  turn.back.push_back(at);
}

// Nobody told of the node itself, which is back, or not the job's any more.
void PodGroup::miss(Turn& turn, Index at) {
  if (running_) {
    gone_.add(unmissed_);
    turn.lost.push_back(at);
  } else {
    turn.missed = at;
    turn.missed_ranks.add(unmissed_);
  }
  unmissed_ = {};
}

// Killed, it leaves workers that come up without it; terminated, it takes them along.
void PodGroup::on(Turn& turn, Index at, const AgentEnded& agent) {
  if (pods_ == Pods::kNone || agent.ranks.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  if (agent.with_node) {
    if (running_ && missed_after_us_ > 0) {
      unmissed_.add(agent.ranks.without(gone_));
      missed_by_us_ = turn.batch.t_us + missed_after_us_;
    }
    return;
  }
  gone_.add(agent.ranks);
  agentless_.add(agent.ranks);
  turn.agents.push_back(at);
  if (!running_ && agent.signal == EndSignal::kTerminate) {
    turn.lost.push_back(at);
  }
}

void PodGroup::on(Turn& turn, Index at, const HangSuspected& hang) {
  if (!running_ || !is_current(hang.job, hang.epoch)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.hang = at;
}

void PodGroup::on(Turn& turn, Index at, const PreemptionNotice& /*notice*/) {
  Step& step = add_step(turn, rules_.notice_ignored, state_, at);
  step.rejected.push_back({"drain", "a notice is not acted on; the loss of the node will be"});
}

void PodGroup::on(Turn& turn, Index at, const CapacityChanged& capacity) {
  possible_ = capacity.workers;
  turn.capacity = at;
  if (!unmissed_.empty() && !running_ && possible_ < workers_) {
    miss(turn, at);
  }
}

void PodGroup::on(Turn& turn, Index at, const DeviceFault& fault) {
  if (!fault.ranks.empty()) {
    turn.device = at;
  }
}

void PodGroup::on(Turn& turn, Index at, const CheckpointDurable& durable) {
  if (is_current(durable.job, durable.epoch)) {
    turn.progress = at;
  }
}

void PodGroup::on(Turn& turn, Index at, const Timer& /*timer*/) { turn.timer = at; }

void PodGroup::on(Turn& turn, Index at, const StopRequested& /*stop*/) {
  fail(turn, at, rules_.stopped_by_user, "stopped_by_user", PodGroupState::kAborted);
}

void PodGroup::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error != CommandError::kNone) {
    add_step(turn, rules_.command_failed, state_, at);
  }
}

}  // namespace aftershock::policies
