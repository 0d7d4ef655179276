#include "policies/volcano/job.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/charge_causes.h"
#include "policies/parts/exit_codes.h"
#include "policies/parts/field_json.h"
#include "policies/parts/turns.h"

// The events that a Volcano job is told.
namespace aftershock::policies::volcano {

VolcanoJob::VolcanoJob(Config config) : config_(std::move(config)) {}

// RetryCount may grow to one less than maxRetry.
std::vector<BudgetState> VolcanoJob::budgets() const {
  return {{status_.retry_count, std::int64_t{config_.max_retry} - 1}};
}

std::unique_ptr<Policy> VolcanoJob::clone() const { return std::make_unique<VolcanoJob>(*this); }

std::uint16_t VolcanoJob::state() const { return static_cast<std::uint16_t>(status_.phase); }

// A change is stored in the moment in which it is made: it is the status of objects.
nlohmann::json VolcanoJob::durable(TimeUs /*at_us*/) const {
  return field_json(Stored{status_, pods_.objects()});
}

Decision VolcanoJob::on_events(const Batch& batch, const View& /*view*/) {
  Turn turn{.batch = batch};
  if (over()) {
    return std::move(turn.decision);
  }
  turn.woken_by = woken_by(batch);
  delays_over(turn);
  if (!over()) {
    pass(turn);
  }
  each_event(
      batch, [this] { return over(); }, [&](Index at, const auto& event) { on(turn, at, event); });
  turn.woken_by = woken_by(batch, turn.not_current);
  if (turn.restored && !over()) {
    take_up(turn);
  }
  settle(turn);
  if (!turn.not_current.empty() && !over()) {
    add_step(turn, RuleId::kEventNotCurrent, 0).saw = std::move(turn.not_current);
  }
  short_since_us_ =
      may_be_unknown() ? std::optional(short_since_us_.value_or(turn.batch.t_us)) : std::nullopt;
  if (!over()) {
    turn.decision.watch = watch();
  }
  status_.epoch = pods_.gang().epoch;
  return std::move(turn.decision);
}

// The controller, the scheduler and pods answer each other until nobody has more to say at this
// moment.
void VolcanoJob::settle(Turn& turn) {
  if (!pods_.gang().submitted) {
    return;
  }
  bool moved = true;
  while (moved) {
    do {
      work(turn);
    } while (!over() && advance(turn));
    moved = !over() && schedule(turn);
  }
}

bool VolcanoJob::advance(Turn& turn) {
  using Kind = pods::PodTable::Move::Kind;
  auto move = pods_.advance();
  if (!move) {
    return false;
  }
  switch (move->kind) {
    case Kind::kStarted:
      if (!std::exchange(turn.created, false)) {
        add_step(turn, RuleId::kStarted, turn.stopped.value_or(turn.woken_by));
      }
      break;
    case Kind::kJoined:
      add_step(turn, RuleId::kJoined, turn.woken_by);
      break;
    case Kind::kAllEnded:
      add_step(turn, RuleId::kAllDown, turn.woken_by);
      break;
  }
  turn.decision.steps.back().commands.push_back(std::move(move->command));
  if (move->kind == Kind::kJoined) {
    run(turn, pods_.alive(), turn.woken_by);  // containers that are kept are up
  }
  return true;
}

Watch VolcanoJob::watch() const {
  Watch watch;
  if (pods_.live() && (pods_.running() || pods_.objects().unmet)) {
    watch.futures = FuturesWatch{.epoch = pods_.gang().epoch};
  }
  if (short_since_us_) {
    watch.capacity = CapacityWatch{.anchor_us = *short_since_us_,
                                   .workers = pods_.gang().workers,
                                   .query_period_us = kSecondUs,
                                   .request_period_us = kSecondUs};
  }
  watch.wake_us = pods_.next_due_us();
  for (const Delayed& one : delayed_) {
    watch.wake_us = std::min(watch.wake_us.value_or(one.due_us), one.due_us);
  }
  return watch;
}

Step& VolcanoJob::add_step(Turn& turn, RuleId rule, Index at) {
  turn.created = false;
  auto state = static_cast<std::uint16_t>(status_.phase);
  return append_step(turn.decision, static_cast<std::uint16_t>(rule), state, state, at);
}

// Of a thousand pods that fail in one moment each says the same.
void VolcanoJob::note_once(Turn& turn, RuleId rule, Index at) {
  const std::vector<Step>& steps = turn.decision.steps;
  if (steps.empty() || steps.back().rule != static_cast<std::uint16_t>(rule) ||
      steps.back().saw != std::vector<Index>{at}) {
    add_step(turn, rule, at);
  }
}

void VolcanoJob::on(Turn& turn, Index at, const ControllerStarted& started) {
  Stored stored;
  if (!pods_.gang().start_controller(started, stored)) {
    turn.not_current.push_back(at);
    return;
  }
  const bool readable = stored.phase <= static_cast<std::uint32_t>(Phase::kTerminated) &&
                        stored.group <= static_cast<std::uint32_t>(Group::kInqueue) &&
                        stored.last_cause <= static_cast<std::uint32_t>(ChargeCause::kHang);
  if (readable) {  // a memory that says what cannot be is lost
    status_ = stored;
    left_ = std::move(stored);
  }
}

void VolcanoJob::on(Turn& turn, Index at, const JobSubmitted& submitted) {
  if (!pods_.gang().submit(submitted)) {
    turn.not_current.push_back(at);
    return;
  }
  lay_out(submitted.workers);
  if (left_ && pods_.gang().restored && status_.workers == submitted.workers && !over()) {
    turn.restored = at;
    return;
  }
  status_ = {.workers = submitted.workers};
  add_step(turn, RuleId::kPending, at).commands.push_back(pods_.gang().ask<Persist>());
  turn.created = true;
  ask_to_look(turn, at);
}

// A controller that starts hears of each pod as of one that was added, and an added pod is pending
// (job_controller_handler.go:185). Delays are forgotten.
void VolcanoJob::take_up(Turn& turn) {
  const Index at = *turn.restored;
  Step& step = add_step(turn, RuleId::kTakenUp, at);
  pods_.take_up(*std::exchange(left_, std::nullopt), turn.runs_on.has_value());
  for (RankSet* pods :
       {&status_.pending, &status_.failed, &status_.outdated, &status_.out_of_sync}) {
    *pods = pods->shared_with(pods_.all());
  }
  if (turn.runs_on) {
    step.saw.push_back(*turn.runs_on);
    status_.pending = status_.pending.shared_with(pods_.objects().fresh);
    ask_each(turn, {.event = Happening::kPodPending, .at = at},
             present(turn).without(status_.out_of_sync));
  } else {
    status_.pending = {};
    status_.failed = {};
    status_.out_of_sync = {};
  }
  ask_to_look(turn, at);
}

void VolcanoJob::on(Turn& turn, Index at, const AttemptRunning& running) {
  if (turn.restored && pods_.gang().is_current(running.job, running.epoch)) {
    turn.runs_on = at;
    return;
  }
  if (!pods_.gang().is_live(running) || pods_.running() || pods_.objects().unmet) {
    turn.not_current.push_back(at);
    return;
  }
  pods_.met();
  run(turn, status_.pending.without(pods_.objects().fresh), at);
}

void VolcanoJob::on(Turn& turn, Index at, const AttemptStartFailed& failed) {
  if (!pods_.gang().is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  if (failed.stage == StartStage::kClusterCheck || failed.stage == StartStage::kPlacement) {
    add_step(turn, RuleId::kPodPending, at)
        .rejected.push_back({"fail", "pods are Pending for as long as no node takes them"});
    return;
  }
  const RankSet ranks =
      failed.ranks.empty() ? RankSet::range(0, pods_.gang().workers) : failed.ranks;
  pods_.wait_for_others();
  const auto change = pods_.fail(pods_.pods_with(ranks).without(pods_.absent()));
  if (change) {
    pods_ended(turn, at, *change, 1, ChargeCause::kApplication);
  }
}

void VolcanoJob::on(Turn& turn, Index at, const WorkersFailed& failed) {
  if (!pods_.gang().is_live(failed)) {
    turn.not_current.push_back(at);
    return;
  }
  const RankSet pods = pods_.pods_with(failed.ranks);
  const bool lost = failed.kind == WorkerFailure::kNodeLost;
  if (lost && !failed.preempted) {
    pods_lost(turn, at, pods, false);
    return;
  }
  const auto change = pods_.fail(pods);
  if (!change) {
    if (!lost) {  // of lost nodes it is told by node and by process
      turn.not_current.push_back(at);
    }
    return;
  }
  turn.taken.add(lost ? change->failed : RankSet());
  pods_ended(turn, at, *change, lost ? 0 : exit_code_of(failed), cause_of(failed));
}

void VolcanoJob::on(Turn& turn, Index at, const WorkersFinished& finished) {
  if (!pods_.gang().finish(finished)) {
    turn.not_current.push_back(at);
    return;
  }
  const RankSet done = pods_.finished();
  status_.pending = status_.pending.without(done);
  for (const RankSet& task : tasks_) {
    const std::uint64_t ended = task.shared_with(done).size();
    const bool completed = ended > 0 && task.without(pods_.objects().succeeded).empty();
    // Of several pods that end in one moment the last is the one that completes their task, and a
    // look for those before it sees all of them.
    if (ended > (completed ? 1U : 0U)) {
      ask_to_look(turn, at);
    }
    if (completed) {
      turn.requests.push_back({.event = Happening::kTaskCompleted,
                               .pod = task.intervals().back().end - 1,
                               .version = status_.version,
                               .at = at});
    }
  }
}

void VolcanoJob::on(Turn& turn, Index at, const WorkersStopped& stopped) {
  if (!pods_.gang().stopped(stopped)) {
    turn.not_current.push_back(at);
    return;
  }
  turn.stopped = at;
  if (pods_.gang().pods == PodGang::Pods::kNone) {
    pods_removed(turn, at, pods_.stopped(), ChargeCause::kApplication);
  }
}

// Pods of a node that is taken away in order fail before they are gone (Kubernetes 1.36.3,
// pkg/kubelet/status/status_manager.go:1247).
void VolcanoJob::on(Turn& turn, Index at, const NodeUnreachable& lost) {
  const RankSet pods = lost.ranks.empty() ? RankSet() : pods_.pods_with(lost.ranks);
  const bool heard = !pods.empty() && (lost.removed || pods_.live());
  if (heard && !lost.removed && !lost.preempted) {
    pods_lost(turn, at, pods, lost.stays);
    return;
  }
  const auto change = !heard         ? std::nullopt
                      : lost.removed ? pods_.take_away(pods)
                                     : pods_.fail(pods);
  if (!change) {
    turn.not_current.push_back(at);
    return;
  }
  turn.taken.add(lost.removed ? RankSet() : change->failed);
  pods_ended(turn, at, *change, 0, lost.removed ? ChargeCause::kNode : ChargeCause::kPreemption);
}

// The kubelet ends pods that were deleted meanwhile, and says which ended with the node. All others
// it leaves alone, and the taint that would evict them goes.
void VolcanoJob::on(Turn& turn, Index at, const NodeJoined& joined) {
  const RankSet pods = joined.ranks.empty() ? RankSet() : pods_.pods_with(joined.ranks);
  const std::int32_t code = joined.alive ? kKilled : kEndedWithNode;
  const auto ended = pods_.take_away(pods_.ending_when_back(pods));
  if (ended) {
    pods_ended(turn, at, *ended, code, ChargeCause::kNode);
  }
  const RankSet back = over() ? RankSet() : pods_.come_back(pods, joined.alive);
  if (!back.empty()) {
    add_step(turn, RuleId::kReachedAgain, at);
    if (const auto change = joined.alive ? std::nullopt : pods_.fail(back)) {
      pods_ended(turn, at, *change, code, ChargeCause::kNode);
    }
  } else if (!ended) {
    turn.not_current.push_back(at);
  }
}

// The request does not say of which version it is, and is outdated once the job was killed
// (updatePodGroup, job_controller_handler.go:486).
void VolcanoJob::on(Turn& turn, Index at, const CapacityChanged& capacity) {
  if (short_since_us_ && capacity.workers < pods_.gang().workers) {
    add_step(turn, RuleId::kUnknown, at);
    turn.requests.push_back({.event = Happening::kUnknown, .cause = last_cause(), .at = at});
  }
}

void VolcanoJob::on(Turn& turn, Index at, const HangSuspected& hang) {
  if (!pods_.gang().is_live(hang)) {
    turn.not_current.push_back(at);
    return;
  }
  add_step(turn, RuleId::kHangNotWatched, at)
      .rejected.push_back({"restart", "no hang is looked for"});
}

void VolcanoJob::on(Turn& turn, Index at, const PreemptionNotice& /*notice*/) {
  add_step(turn, RuleId::kPreemptionIgnored, at)
      .rejected.push_back({"drain", "a notice is not acted on; the loss of the node will be"});
}

void VolcanoJob::on(Turn& turn, Index at, const StopRequested& /*stop*/) {
  turn.requests.push_back({.command = Action::kAbortJob, .at = at});
}

void VolcanoJob::on(Turn& turn, Index at, const CommandResult& result) {
  if (result.error != CommandError::kNone) {
    add_step(turn, RuleId::kCommandFailed, at);
  }
}

}  // namespace aftershock::policies::volcano
