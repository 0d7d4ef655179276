#include <algorithm>
#include <utility>

#include "policies/volcano/job.h"

// Requests of a Volcano job, one after the other (processNextReq, job_controller.go:337): each is
// answered by a policy of its task, or else of the job, or by none, and then the job is looked at.
namespace aftershock::policies::volcano {
namespace {

enum class Kind : std::uint8_t { kJob, kTask, kPod, kPartition };

Kind kind_of(Action action) {
  switch (action) {
    case Action::kRestartTask:
      return Kind::kTask;
    case Action::kRestartPod:
      return Kind::kPod;
    case Action::kRestartPartition:
      return Kind::kPartition;
    default:
      return Kind::kJob;
  }
}

// A pod that was made is pending for a while: only a policy that says for how long means that.
bool fits(const Answer& answer, Happening known, Happening event) {
  return (known == event || known == Happening::kAny) &&
         (event != Happening::kPodPending || answer.timeout_us.has_value());
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

std::size_t VolcanoJob::task_of(std::uint32_t pod) const {
  const auto found = std::ranges::find_if(
      tasks_, [pod](const RankSet& task) { return !task.empty() && task.contains(pod); });
  return found == tasks_.end() ? 0 : static_cast<std::size_t>(found - tasks_.begin());
}

// A task's policies come before the job's, and of each list the first that fits.
const Answer* VolcanoJob::answer_to(const Request& request) const {
  const Answer* answer = nullptr;
  if (request.pod && !config_.tasks.empty()) {
    answer = first_answer(config_.tasks[task_of(*request.pod)].policies, *request.event,
                          request.exit_code);
  }
  return answer != nullptr ? answer
                           : first_answer(config_.policies, *request.event, request.exit_code);
}

bool VolcanoJob::waits_for_pending() const {
  const auto pending = [](const std::vector<Answer>& policies) {
    return first_answer(policies, Happening::kPodPending, 0) != nullptr;
  };
  return pending(config_.policies) || std::ranges::any_of(config_.tasks, pending, &Task::policies);
}

// An Unknown group is of no pod, and no task. A partition is one where the task has a policy of
// partitions.
RankSet VolcanoJob::target_of(Action action, std::optional<std::uint32_t> of) const {
  if (!of) {
    return {};
  }
  const std::uint32_t pod = *of;
  const std::size_t task = task_of(pod);
  const std::uint32_t size = config_.tasks.empty() ? 0 : config_.tasks[task].partition_size;
  switch (kind_of(action)) {
    case Kind::kPod:
      return RankSet::range(pod, pod + 1);
    case Kind::kTask:
      return tasks_[task];
    case Kind::kPartition:
      break;
    case Kind::kJob:
      return pods_.all();
  }
  if (size == 0) {
    return {};
  }
  const std::uint32_t first = tasks_[task].intervals().front().first;
  const std::uint32_t begin = first + (pod - first) / size * size;
  return RankSet::range(begin, begin + size).shared_with(tasks_[task]);
}

void VolcanoJob::work(Turn& turn) {
  while (!turn.requests.empty() && !over()) {
    const Request request = std::move(turn.requests.front());
    turn.requests.pop_front();
    handle(turn, request);
  }
}

void VolcanoJob::handle(Turn& turn, const Request& request) {
  if (request.command || !request.event) {
    turn.look_asked = turn.look_asked && request.command.has_value();
    execute(turn, request.command.value_or(Action::kSyncJob), request);
    return;
  }
  if (request.pod && *request.event != Happening::kPodPending) {
    pending_no_more(RankSet::range(*request.pod, *request.pod + 1), false);
  }
  if (request.version < status_.version) {
    note_once(turn, RuleId::kRestarting, request.at);
    ask_to_look(turn, request.at);
    return;
  }
  const Answer* answer = answer_to(request);
  const bool waits = answer != nullptr && answer->timeout_us.value_or(0) > 0;
  if (answer == nullptr || (answer->action == Action::kSyncJob && !waits)) {
    if (request.event != Happening::kPodPending && request.event != Happening::kTaskCompleted) {
      note_once(turn, phase() == Phase::kRestarting ? RuleId::kRestarting : RuleId::kSync,
                request.at);
    }
    execute(turn, Action::kSyncJob, request);
    return;
  }
  if (waits) {
    delay(turn, *answer, request);
    return;
  }
  execute(turn, answer->action, request);
  forget_delays(answer->action, request.pod);
}

// The scheduler calls a group Unknown where some of its pods run and no node is there for another
// (pkg/scheduler/framework/session.go:582).
bool VolcanoJob::may_be_unknown() const {
  const Request unknown{.event = Happening::kUnknown};
  const Answer* answer = answer_to(unknown);
  return phase() == Phase::kRunning && status_.version == 0 && pods_.trains() &&
         !pods_.objects().fresh.empty() && answer != nullptr && answer->action != Action::kSyncJob;
}

// A pod has one that is waited with (AddDelayActionForJob, job_controller.go:461). One of another
// action takes its place, and does not cancel it.
void VolcanoJob::delay(Turn& turn, const Answer& answer, const Request& request) {
  const auto of_pod = [&](const Delayed& one) {
    return !one.stray && one.request.pod == request.pod;
  };
  const bool waits = request.pod && waiting_.contains(*request.pod);
  const auto before = waits ? std::ranges::find_if(delayed_, of_pod) : delayed_.end();
  if (before != delayed_.end()) {
    if (before->action == answer.action) {
      return;
    }
    before->stray = true;
  }
  if (request.event != Happening::kPodPending) {
    note_once(turn, RuleId::kDelayed, request.at);
  }
  const TimeUs due_us = turn.batch.t_us + *answer.timeout_us;
  delayed_.insert(std::ranges::upper_bound(delayed_, due_us, {}, &Delayed::due_us),
                  {answer.action, request, due_us});
  if (request.pod) {
    waiting_.add(*request.pod, *request.pod + 1);
  }
}

// No policy is asked again, and no version.
void VolcanoJob::delays_over(Turn& turn) {
  while (!over()) {
    if (delayed_.empty() || delayed_.front().due_us > turn.batch.t_us) {
      return;
    }
    Delayed one = delayed_.front();
    delayed_.erase(delayed_.begin());
    note_waiting();
    one.request.at = turn.woken_by;
    one.request.overdue = true;
    if (one.request.event == Happening::kPodPending) {
      one.request.cause = last_cause();
      add_step(turn, RuleId::kPodPending, turn.woken_by);
    }
    execute(turn, one.action, one.request);
    forget_delays(one.action, one.request.pod);
    work(turn);
  }
}

void VolcanoJob::note_waiting() {
  waiting_ = {};
  for (const Delayed& one : delayed_) {
    if (one.request.pod && !one.stray) {
      waiting_.add(*one.request.pod, *one.request.pod + 1);
    }
  }
}

// A pod that is not pending any more waits no longer for that, and one that runs has not failed
// (CleanPodDelayActionsIfNeed, job_controller.go:415).
void VolcanoJob::pending_no_more(const RankSet& pods, bool run) {
  if (!pods.overlaps(waiting_)) {
    return;
  }
  std::erase_if(delayed_, [&](const Delayed& one) {
    if (one.stray || !one.request.pod || !pods.contains(*one.request.pod)) {
      return false;
    }
    return one.request.event == Happening::kPodPending
               ? !one.of_another
               : run && (one.request.event == Happening::kPodFailed ||
                         one.request.event == Happening::kPodEvicted);
  });
  note_waiting();
}

// An action takes the place of those of its kind that wait (cleanupDelayActions,
// job_controller.go:542): of a job's all, of others those of what it is for.
void VolcanoJob::forget_delays(Action done, std::optional<std::uint32_t> pod) {
  const Kind kind = kind_of(done);
  const auto same = [&](const Delayed& one) {
    return kind == Kind::kJob || target_of(done, pod).overlaps(target_of(done, one.request.pod));
  };
  std::erase_if(delayed_, [&](const Delayed& one) {
    return !one.stray && kind_of(one.action) == kind && same(one);
  });
  note_waiting();
}

}  // namespace aftershock::policies::volcano
