#include <algorithm>
#include <string>
#include <utility>

#include "policies/parts/turns.h"
#include "policies/volcano/job.h"

// The phases of a Volcano job (pkg/controllers/job/state), and its looks at pods, killJob and
// syncJob (job_controller_actions.go).
namespace aftershock::policies::volcano {
namespace {

constexpr std::size_t number(RuleId rule) { return static_cast<std::size_t>(rule); }

bool restarts(Action action) {
  return action == Action::kRestartJob || action == Action::kRestartTask ||
         action == Action::kRestartPod || action == Action::kRestartPartition;
}

RuleId rule_for(Action action) {
  switch (action) {
    case Action::kRestartTask:
      return RuleId::kRestartTask;
    case Action::kRestartPod:
      return RuleId::kRestartPod;
    case Action::kRestartPartition:
      return RuleId::kRestartPartition;
    default:
      return RuleId::kRestartJob;
  }
}

}  // namespace

std::uint64_t VolcanoJob::least() const { return config_.min_available.value_or(pods_.count()); }

void VolcanoJob::execute(Turn& turn, Action action, const Request& request) {
  switch (phase()) {
    case Phase::kPending:
    case Phase::kRunning:
      if (restarts(action)) {
        restart(turn, action, request);
      } else if (action == Action::kSyncJob) {
        look(turn, request.at);
      } else {
        wind_up(turn, action, request);
      }
      return;
    case Phase::kRestarting:
      if (action == Action::kSyncJob) {
        look(turn, request.at);
        return;
      }
      note_once(turn, RuleId::kRestarting, request.at);
      if (!restarts(action) || action == Action::kRestartJob) {
        kill_job(turn, request.at, false);
        after_restart(turn, request.at);
      } else if (kill_target(turn, action, request)) {
        after_restart(turn, request.at);
      }
      return;
    case Phase::kAborting:
    case Phase::kCompleting:
    case Phase::kTerminating:
      kill_job(turn, request.at, true);
      all_are_gone(turn, request.at);
      return;
    default:
      return;
  }
}

// Pods that ended are kept for their logs at the last retry (job_controller_actions.go:162).
bool VolcanoJob::keeps_ended() const {
  return status_.retry_count >= std::int64_t{config_.max_retry} - 1;
}

void VolcanoJob::kill(Turn& turn, Index at, const RankSet& pods) {
  RankSet at_once = pods.shared_with(status_.failed);
  at_once.add(pods.shared_with(pods_.objects().succeeded));
  at_once.add(pods.shared_with(pods_.objects().fresh));
  status_.out_of_sync.add(pods);
  pods_.drop(pods);
  pods_.remove(pods, turn.batch.t_us);
  for (RankSet* of : {&status_.pending, &status_.failed, &status_.out_of_sync}) {
    *of = of->without(at_once);
  }
  ask_to_look(turn, at);
}

void VolcanoJob::kill_job(Turn& turn, Index at, bool keeps) {
  ++status_.version;
  const RankSet going = terminating(turn);
  RankSet kept;
  if (keeps || keeps_ended()) {
    kept = status_.failed;
    kept.add(pods_.objects().succeeded);
  }
  const RankSet victims = present(turn).without(going).without(kept);
  status_.outdated = pods_.all();
  status_.counts = {.terminating = going.size() + victims.size()};
  status_.group = static_cast<std::uint32_t>(Group::kNone);
  if (!victims.empty()) {
    kill(turn, at, victims);
  }
}

// False: a partition of which no pod is there. A pod or a task that is gone is restarted none the
// less.
bool VolcanoJob::kill_target(Turn& turn, Action action, const Request& request) {
  const RankSet victims = present(turn).shared_with(target_of(action, request.pod));
  if (victims.empty() && action == Action::kRestartPartition) {
    return false;
  }
  status_.counts = {.terminating = victims.size()};
  status_.group = static_cast<std::uint32_t>(Group::kNone);
  if (!victims.empty()) {
    kill(turn, request.at, victims);
  }
  return true;
}

void VolcanoJob::restart(Turn& turn, Action action, const Request& request) {
  const bool retained = keeps_ended();
  if (action == Action::kRestartJob) {
    kill_job(turn, request.at, false);
  } else if (!kill_target(turn, action, request)) {
    return;
  }
  ++status_.retry_count;
  const std::int64_t limit = std::int64_t{config_.max_retry} - 1;
  if (retained) {
    add_step(turn, RuleId::kRetained, request.at);
  }
  become(turn, Phase::kRestarting, rule_for(action), request.at);
  turn.decision.steps.back().budgets.push_back({.budget = 0,
                                                .cause = request.cause,
                                                .used = status_.retry_count,
                                                .limit = limit,
                                                .exhausted = status_.retry_count > limit});
}

void VolcanoJob::wind_up(Turn& turn, Action action, const Request& request) {
  kill_job(turn, request.at, true);
  status_.by_user = request.command.has_value();
  switch (action) {
    case Action::kAbortJob:
      become(turn, Phase::kAborting, status_.by_user ? RuleId::kCommandAbort : RuleId::kAbort,
             request.at);
      break;
    case Action::kCompleteJob:
      status_.cut_short = request.event != Happening::kTaskCompleted;
      become(turn, Phase::kCompleting,
             status_.cut_short ? RuleId::kComplete : RuleId::kTaskCompleted, request.at);
      break;
    default:
      become(turn, Phase::kTerminating, RuleId::kTerminate, request.at);
      break;
  }
  if (request.overdue) {  // its own time is over, which costs no retry
    turn.decision.steps.back().budgets.push_back(
        {.budget = 0, .cause = request.cause, .used = status_.retry_count, .exempt = true});
  }
}

void VolcanoJob::all_are_gone(Turn& turn, Index at) {
  if (status_.counts.terminating > 0) {
    return;
  }
  switch (phase()) {
    case Phase::kAborting:
      end(turn, Phase::kAborted, status_.by_user ? RuleId::kCommandAbort : RuleId::kAbort, at);
      return;
    case Phase::kCompleting:
      end(turn, Phase::kCompleted, status_.cut_short ? RuleId::kComplete : RuleId::kTaskCompleted,
          at);
      return;
    default:
      end(turn, Phase::kTerminated, RuleId::kTerminate, at);
      return;
  }
}

// Restarting is over when enough of the old pods are gone (state/restarting.go:30).
void VolcanoJob::after_restart(Turn& turn, Index at) {
  if (status_.retry_count >= std::int64_t{config_.max_retry}) {
    end(turn, Phase::kFailed, RuleId::kMaxRetry, at);
  } else if (pods_.count() >= least() + status_.counts.terminating) {
    become(turn, Phase::kPending, RuleId::kPendingAgain, at);
  }
}

// Without a PodGroup that was let in no pod is made, and the counts are those of the last look.
void VolcanoJob::look(Turn& turn, Index at) {
  if (status_.group == static_cast<std::uint32_t>(Group::kNone)) {
    status_.group = static_cast<std::uint32_t>(Group::kNew);
  }
  if (status_.group == static_cast<std::uint32_t>(Group::kInqueue)) {
    make_pods(turn, at);
    status_.counts = count(turn);
  }
  const Counts& now = status_.counts;
  if (phase() == Phase::kRestarting) {
    after_restart(turn, at);
  } else if (phase() == Phase::kRunning) {
    look_at_running(turn, at);
  } else if (now.running + now.succeeded + now.failed >= least()) {
    become(turn, Phase::kRunning, RuleId::kRunning, at);
  }
}

void VolcanoJob::make_pods(Turn& turn, Index at) {
  const RankSet missing = pods_.all().without(present(turn));
  if (missing.empty()) {
    return;
  }
  pods_.make(missing);
  status_.pending.add(missing);
  status_.outdated = status_.outdated.without(missing);
  for (Delayed& one : delayed_) {
    one.of_another = one.of_another || (one.request.pod && missing.contains(*one.request.pod));
  }
  if (!turn.created) {
    add_step(turn, RuleId::kPods, at);
  }
  if (waits_for_pending()) {
    ask_each(turn, {.event = Happening::kPodPending, .at = at}, missing);
  }
  ask_to_look(turn, at);
}

Counts VolcanoJob::count(const Turn& turn) const {
  const RankSet going = terminating(turn);
  const RankSet there = present(turn).without(going);
  Counts counts{.pending = there.shared_with(status_.pending).size(),
                .succeeded = there.shared_with(pods_.objects().succeeded).size(),
                .failed = there.shared_with(status_.failed).size(),
                .terminating = going.size()};
  counts.running = there.size() - counts.pending - counts.succeeded - counts.failed;
  return counts;
}

// Of each task as many must have succeeded as it says, unless fewer are enough for the job than for
// all tasks (state/running.go:85).
bool VolcanoJob::has_failed_task() const {
  std::uint64_t of_tasks = 0;
  bool failed = false;
  for (std::size_t i = 0; i < config_.tasks.size(); ++i) {
    const std::uint64_t own = config_.tasks[i].min_available.value_or(config_.tasks[i].replicas);
    of_tasks += own;
    failed = failed || tasks_[i].shared_with(pods_.objects().succeeded).size() < own;
  }
  return failed && least() >= of_tasks;
}

void VolcanoJob::look_at_running(Turn& turn, Index at) {
  const Counts& now = status_.counts;
  const std::uint64_t all = pods_.count();
  if (now.succeeded + now.failed == all) {
    if (now.succeeded < least() || has_failed_task()) {
      end(turn, Phase::kFailed, RuleId::kSyncFailed, at);
    } else {
      end(turn, Phase::kCompleted,
          now.succeeded == all ? RuleId::kCompleted : RuleId::kSyncCompleted, at);
    }
  } else if (now.pending + least() > all) {
    become(turn, Phase::kPending, RuleId::kPendingAgain, at);
  }
}

void VolcanoJob::become(Turn& turn, Phase phase, RuleId rule, Index at) {
  add_step(turn, rule, at).to_state = static_cast<std::uint16_t>(phase);
  status_.phase = static_cast<std::uint32_t>(phase);
  if (!is_final(phase)) {
    ask_to_look(turn, at);
  }
}

void VolcanoJob::end(Turn& turn, Phase phase, RuleId rule, Index at) {
  become(turn, phase, rule, at);
  Step& step = turn.decision.steps.back();
  if (phase == Phase::kCompleted && !status_.cut_short) {
    step.commands.push_back(pods_.gang().ask<Complete>());
    return;
  }
  std::string reason = rule == RuleId::kMaxRetry ? "exhausted(maxRetry)"
                       : status_.by_user         ? "stopped_by_user"
                                                 : "gave_up(";
  if (reason.back() == '(') {
    reason += info().rules[number(rule)].id;
    reason += ')';
  }
  step.commands.push_back(pods_.gang().ask<Fail>(std::move(reason)));
}

}  // namespace aftershock::policies::volcano
