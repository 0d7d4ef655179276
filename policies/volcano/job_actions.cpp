#include <algorithm>
#include <utility>

#include "policies/parts/rank_pods.h"
#include "policies/volcano/job.h"

// The actions of a Volcano job, and their effects.
namespace aftershock::policies::volcano {
namespace {

constexpr std::uint16_t rule_of(RuleId id) { return static_cast<std::uint16_t>(id); }

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

// A gang is always pending for a while: by * that is meant only where it says for how long.
bool fits(const Answer& answer, Happening known, Happening event) {
  return known == event || (known == Happening::kAny &&
                            (event != Happening::kPodPending || answer.timeout_us.has_value()));
}

const Answer* first_answer(const std::vector<Answer>& policies, Happening event,
                           std::int32_t exit_code) {
  const auto found = std::ranges::find_if(policies, [&](const Answer& answer) {
    return std::ranges::any_of(answer.events,
                               [&](Happening known) { return fits(answer, known, event); }) ||
           (answer.exit_code && *answer.exit_code == exit_code);
  });
  return found == policies.end() ? nullptr : &*found;
}

}  // namespace

// The ranks of the task that the first of these pods belongs to.
RankSet VolcanoJob::task_of(const RankSet& pods, const Task*& task) const {
  const std::uint32_t rank = pods.empty() ? 0 : pods.intervals().front().first;
  std::uint32_t first = 0;
  for (const Task& known : config_.tasks) {
    const bool last = &known == &config_.tasks.back();
    const std::uint32_t end = last ? workers_ : first + known.replicas * config_.ranks_per_pod;
    if (rank < end) {
      task = &known;
      return RankSet::range(first, std::min(end, workers_));
    }
    first = end;
  }
  return everyone();
}

// A task's policies come before the job's, and of each list the first that
// fits.
const Answer* VolcanoJob::answer_to(const Occurrence& what) const {
  const Task* task = nullptr;
  static_cast<void>(task_of(what.pods, task));
  const Answer* answer =
      task == nullptr ? nullptr : first_answer(task->policies, what.event, what.exit_code);
  return answer != nullptr ? answer : first_answer(config_.policies, what.event, what.exit_code);
}

Action VolcanoJob::action_for(const Occurrence& what) const {
  const Answer* answer = answer_to(what);
  return answer == nullptr ? Action::kSyncJob : answer->action;
}

RankSet VolcanoJob::target_of(Action action, const RankSet& pods) const {
  const Task* task = nullptr;
  const RankSet ranks = task_of(pods, task);
  if (action == Action::kRestartJob) {
    return everyone();
  }
  if (action == Action::kRestartPod) {
    return pods;
  }
  if (action == Action::kRestartTask || task == nullptr || task->partition_size == 0) {
    return ranks;
  }
  const std::uint32_t first = ranks.intervals().front().first;
  const std::uint32_t each = task->partition_size * config_.ranks_per_pod;
  RankSet partitions;
  for (const RankSet::Interval& interval : pods.intervals()) {
    const std::uint32_t begin = first + (interval.first - first) / each * each;
    partitions.add(begin,
                   std::min(workers_, first + ((interval.end - 1 - first) / each + 1) * each));
  }
  return partitions;
}

void VolcanoJob::act(Turn& turn, Index at, const Occurrence& what) {
  if (restarting_ && turn.batch.t_us <= killed_us_) {
    down_.add(what.pods);
    add_step(turn, rule_of(RuleId::kRestarting), state(), at);
    all_down(turn, at);
    return;
  }
  const Answer* answer = answer_to(what);
  if (answer != nullptr && answer->timeout_us.value_or(0) > 0 &&
      what.event != Happening::kPodPending) {
    delay(turn, at, *answer, what);
    return;
  }
  carry_out(turn, at, answer == nullptr ? Action::kSyncJob : answer->action, what);
}

void VolcanoJob::carry_out(Turn& turn, Index at, Action action, const Occurrence& what) {
  if (action != Action::kSyncJob) {
    forget_delays(action, what.pods);
  }
  switch (action) {
    case Action::kSyncJob:
      sync(turn, at, what);
      return;
    case Action::kAbortJob:
      give_up(turn, at, rule_of(RuleId::kAbort), PodGroupState::kAborted);
      return;
    case Action::kTerminateJob:
      give_up(turn, at, rule_of(RuleId::kTerminate), kTerminated);
      return;
    case Action::kCompleteJob:
      give_up(turn, at, rule_of(RuleId::kComplete), PodGroupState::kCompleted);
      return;
    default:
      restart(turn, at, action, what);
      return;
  }
}

// A pod has one that is waited with (AddDelayActionForJob, job_controller.go:461).
void VolcanoJob::delay(Turn& turn, Index at, const Answer& answer, const Occurrence& what) {
  Occurrence fresh = what;
  for (const Delayed& one : delayed_) {
    fresh.pods = fresh.pods.without(one.action == answer.action ? one.what.pods : RankSet());
  }
  down_.add(what.pods);
  if (fresh.pods.empty()) {
    return;
  }
  add_step(turn, rule_of(RuleId::kDelayed), state(), at);
  delayed_.push_back({answer.action, std::move(fresh), turn.batch.t_us + *answer.timeout_us});
}

// No policy is asked again, and no version.
void VolcanoJob::delays_over(Turn& turn) {
  while (turn.timer && !ended()) {
    const auto due = std::ranges::find_if(
        delayed_, [&](const Delayed& one) { return one.due_us <= turn.batch.t_us; });
    if (due == delayed_.end()) {
      return;
    }
    const Delayed one = *due;
    delayed_.erase(due);
    if (running() || starting()) {
      carry_out(turn, *turn.timer, one.action, one.what);
    } else {
      add_step(turn, rule_of(RuleId::kRestarting), state(), *turn.timer);
    }
  }
}

// An action takes the place of those of its kind that wait (cleanupDelayActions,
// job_controller.go:542): of a job's all, of others those of what it is for.
void VolcanoJob::forget_delays(Action done, const RankSet& pods) {
  const auto of_part = [](Action action) {
    return action == Action::kRestartTask || action == Action::kRestartPod ||
           action == Action::kRestartPartition;
  };
  std::erase_if(delayed_, [&](const Delayed& one) {
    return of_part(done) ? one.action == done &&
                               target_of(done, pods).overlaps(target_of(done, one.what.pods))
                         : !of_part(one.action);
  });
}

void VolcanoJob::sync(Turn& turn, Index at, const Occurrence& what) {
  add_step(turn, rule_of(RuleId::kSync), state(), at);
  if (what.event == Happening::kPodPending || what.event == Happening::kUnknown) {
    return;
  }
  down_.add(what.pods);
  if (what.event == Happening::kPodEvicted) {
    const std::int64_t all = count_pods(everyone(), config_.ranks_per_pod);
    const std::int64_t left = all - count_pods(down_, config_.ranks_per_pod);
    const Occurrence unknown{
        .event = Happening::kUnknown, .pods = what.pods, .cause = ChargeCause::kNode};
    if (left < std::int64_t{config_.min_available.value_or(static_cast<std::uint32_t>(all))} &&
        action_for(unknown) != Action::kSyncJob) {
      add_step(turn, rule_of(RuleId::kUnknown), state(), at);
      act(turn, at, unknown);
      return;
    }
  }
  if (starting()) {
    give_up(turn, at, rule_of(RuleId::kSyncFailed));
    return;
  }
  all_down(turn, at);
}

void VolcanoJob::restart(Turn& turn, Index at, Action action, const Occurrence& what) {
  const std::int64_t limit = std::int64_t{config_.max_retry} - 1;
  const bool retained = retries_ >= limit;
  ++retries_;
  const BudgetMove move{.budget = 0,
                        .cause = what.cause,
                        .used = retries_,
                        .limit = limit,
                        .exhausted = retries_ > limit};
  if (retained) {
    add_step(turn, rule_of(RuleId::kRetained), state(), at);
  }
  add_step(turn, rule_of(rule_for(action)), PodGroupState::kRestarting, at).budgets.push_back(move);
  if (move.exhausted) {  // by the next look, once its pods are deleted (state/restarting.go:35)
    fail(turn, at, rule_of(RuleId::kMaxRetry), "exhausted(maxRetry)");
    return;
  }
  const RankSet target = target_of(action, what.pods);
  if (!running() || target.size() >= workers_) {
    recreate_job(turn, at);
    return;
  }
  const bool living = !target.without(down_).without(what.pods).empty();
  killed_us_ = turn.batch.t_us + (living ? config_.grace_us : 0);
  restarting_ = true;
  down_.add(target);
  down_.add(what.pods);
  all_down(turn, at);
}

// Without a restart that was asked for, pods that failed stay failed.
void VolcanoJob::all_down(Turn& turn, Index at) {
  RankSet ended = down_;
  ended.add(finished_);
  if (ended.size() < workers_) {
    return;
  }
  if (restarting_) {
    add_step(turn, rule_of(RuleId::kAllDown), state(), at);
    recreate_job(turn, at);
    return;
  }
  const auto least = config_.min_available.value_or(
      static_cast<std::uint32_t>(count_pods(everyone(), config_.ranks_per_pod)));
  if (count_pods(finished_, config_.ranks_per_pod) >= std::int64_t{least}) {
    add_step(turn, rule_of(RuleId::kSyncCompleted), PodGroupState::kCompleted, at)
        .commands.emplace_back(Complete{++last_command_, job_});
  } else {
    give_up(turn, at, rule_of(RuleId::kSyncFailed));
  }
}

}  // namespace aftershock::policies::volcano
