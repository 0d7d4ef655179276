#include <algorithm>
#include <array>
#include <utility>

#include "policies/job/pod_controller.h"

// A look of the Job controller at one Job: syncJob of pkg/controller/job/job_controller.go, from
// line 911 on, in Kubernetes 1.36.
namespace aftershock::policies::job {
namespace {

// The causes that pods have, in the order in which moves of one moment are told.
constexpr std::array<ChargeCause, 5> kCauses{ChargeCause::kApplication, ChargeCause::kNode,
                                             ChargeCause::kPreemption, ChargeCause::kDevice,
                                             ChargeCause::kHang};

std::size_t place(ChargeCause cause) { return static_cast<std::size_t>(cause); }

}  // namespace

// A queue keeps the earliest time that it was given (workqueue's AddAfter).
void PodController::request(std::uint32_t child, TimeUs at_us) {
  auto& sync_us = queues_[child].sync_us;
  sync_us = std::min(sync_us.value_or(at_us), at_us);
  next_sync_us_ = std::min(next_sync_us_.value_or(at_us), at_us);
}

void PodController::sync_due(Turn& turn) {
  const TimeUs now_us = turn.batch.t_us;
  if (!next_sync_us_ || *next_sync_us_ > now_us) {
    return;
  }
  for (std::uint32_t child = 0; child < queues_.size(); ++child) {
    if (queues_[child].sync_us && *queues_[child].sync_us <= now_us) {
      sync(turn, child);
    }
  }
  next_sync_us_.reset();
  for (const JobQueue& queue : queues_) {
    if (queue.sync_us) {
      next_sync_us_ = std::min(next_sync_us_.value_or(*queue.sync_us), *queue.sync_us);
    }
  }
}

void PodController::sync(Turn& turn, std::uint32_t child) {
  JobObject& job = memory_.jobs[child];
  JobQueue& queue = queues_[child];
  queue.sync_us.reset();
  queue.delayed_us.reset();
  if (!job.started_us || job.deleting || job.failed || job.complete) {
    return;
  }
  const TimeUs now_us = turn.batch.t_us;
  bool changed = std::exchange(queue.changed, false);
  Tally tally{.indexes_before = job.status.failed_indexes.size()};
  remember_failures(child);
  const bool targeted = job.target.has_value();
  if (auto target = see(child, tally); !targeted) {
    job.target = std::move(target);
  }
  const auto due_us = deadline_us(child);
  if (!job.target) {
    job.target = target_of(child, tally, due_us && *due_us <= now_us);
  }
  const bool fails = job.target && !targeted;
  count_delayed(child, tally);
  const bool deleted = fails && take_target(child, tally, now_us);
  tell(turn, child, tally);
  if (fails) {
    Step& step = add_step(turn, Common::kFailureTarget, turn.woken_by);
    if (job.target->reason == kDeadlineExceeded) {
      overran(step);
    }
  }
  if (job.target) {
    // Deleted pods are still there in this look, whatever has become of them.
    changed = changed || fails;
    if (!deleted) {
      finish(turn, child);
    }
  } else if (pods_.objects().succeeded.shared_with(pods_of(child)) == pods_of(child)) {
    job.complete = true;
    turn.completed = true;
  } else {
    changed = manage(turn, child) || changed;
    if (due_us) {
      request(child, *due_us);
    }
  }
  if (changed) {
    request(child, now_us + kSecondUs);  // the status is written, which the controller hears of
  }
}

std::optional<FailureTarget> PodController::target_of(std::uint32_t child, const Tally& tally,
                                                      bool past_deadline) const {
  const JobObject& job = memory_.jobs[child];
  const RankSet own = pods_of(child);
  Sight sight{.failed = job.status.failed,
              .succeeded = pods_.objects().succeeded.shared_with(own).size(),
              .pods = own.size(),
              .past_deadline = past_deadline};
  for (const UnseenPods& pods : job.delayed) {
    sight.failed += static_cast<std::int64_t>(pods.pods.size());
  }
  const Failure failure = failure_of(children_[child].spec, job.status, sight);
  return failure.reason.empty()
             ? std::nullopt
             : std::optional(FailureTarget{.reason = std::string(failure.reason),
                                           .message = std::string(failure.message),
                                           .cause = tally.last_cause});
}

std::optional<TimeUs> PodController::deadline_us(std::uint32_t child) const {
  const auto& deadline_us = children_[child].spec.active_deadline_us;
  const auto& started_us = memory_.jobs[child].started_us;
  return deadline_us && started_us ? std::optional(*started_us + *deadline_us) : std::nullopt;
}

// newBackoffRecord (backoff_utils.go:90): a pod that succeeded begins the count anew.
void PodController::remember_failures(std::uint32_t child) {
  JobQueue& queue = queues_[child];
  const auto succeeded_us = std::exchange(queue.succeeded_us, std::nullopt);
  queue.failures = succeeded_us ? 0 : queue.failures;
  for (const UnseenPods& pods : memory_.jobs[child].unseen) {
    if (!succeeded_us || whole_second(pods.at_us) > whole_second(*succeeded_us)) {
      queue.failures += static_cast<std::uint32_t>(pods.pods.size());
      queue.failed_us = std::max(queue.failed_us, pods.at_us);
    }
  }
}

RankSet PodController::indexes_of(std::uint32_t child, const RankSet& pods) const {
  RankSet indexes;
  for (const RankSet::Interval& interval : pods.intervals()) {
    indexes.add(interval.first - first_pod_[child], interval.end - first_pod_[child]);
  }
  return indexes;
}

// Names of pods end in five characters that nobody can know.
std::string PodController::pod_name(std::uint32_t child, const RankSet& pods) const {
  const Child& one = children_[child];
  const std::uint32_t index = pods.intervals().front().first - first_pod_[child];
  return one.object + '-' + (one.spec.indexed ? std::to_string(index) + '-' : "") + "xxxxx";
}

// Counts what has ended. A pod that podFailurePolicy fails the Job for is its target.
std::optional<FailureTarget> PodController::see(std::uint32_t child, Tally& tally) {
  JobObject& job = memory_.jobs[child];
  const Spec& spec = children_[child].spec;
  std::optional<FailureTarget> target;
  for (const UnseenPods& pods : job.unseen) {
    const PodEnd end{.exit_code = pods.exit_code, .disrupted = pods.disrupted};
    const Answer answer =
        take_failure(spec, job.status, indexes_of(child, pods.pods), end, pods.at_us);
    const auto many = static_cast<std::int64_t>(pods.pods.size());
    tally.last_cause = pods.cause;
    if (answer.action == PodAction::kIgnore) {
      tally.ignored[pods.cause] += many;
    } else if (spec.backoff_limit_per_index) {
      job.delayed.push_back(pods);
    } else {
      tally.counted[pods.cause] += many;
      job.status.failed += many;
    }
    if (answer.action == PodAction::kFailJob && !target) {
      target = FailureTarget{.reason = std::string(kByPodFailurePolicy),
                             .message = fail_message(spec, answer, end, pod_name(child, pods.pods)),
                             .cause = pods.cause};
    }
  }
  job.unseen.clear();
  return target;
}

void PodController::count_delayed(std::uint32_t child, Tally& tally) {
  JobObject& job = memory_.jobs[child];
  if (job.delayed.empty()) {
    return;
  }
  RankSet known = pods_.alive();
  known.add(pods_.objects().fresh);
  known.add(pods_.objects().succeeded);
  for (const RankSet::Interval& interval : job.status.failed_indexes.intervals()) {
    known.add(first_pod_[child] + interval.first, first_pod_[child] + interval.end);
  }
  for (UnseenPods& pods : job.delayed) {
    const RankSet counted = job.target ? pods.pods : pods.pods.shared_with(known);
    tally.counted[pods.cause] += static_cast<std::int64_t>(counted.size());
    job.status.failed += static_cast<std::int64_t>(counted.size());
    pods.pods = pods.pods.without(counted);
  }
  std::erase_if(job.delayed, [](const UnseenPods& pods) { return pods.pods.empty(); });
}

// Every pod that has not ended is deleted, and counts (job_controller.go:1122, 1379). False: there
// was none.
bool PodController::take_target(std::uint32_t child, Tally& tally, TimeUs now_us) {
  JobObject& job = memory_.jobs[child];
  const RankSet own = pods_of(child);
  const RankSet waiting = pods_.objects().unfailed.shared_with(own);
  if (!waiting.empty()) {
    const Answer answer = take_failure(children_[child].spec, job.status,
                                       indexes_of(child, waiting), {.disrupted = true}, now_us);
    const auto many = static_cast<std::int64_t>(waiting.size());
    const bool ignored = answer.action == PodAction::kIgnore;
    (ignored ? tally.ignored : tally.counted)[place(ChargeCause::kNode)] += many;
    job.status.failed += ignored ? 0 : many;
    pods_.count_now(waiting);
  }
  const auto active = static_cast<std::int64_t>(pods_.alive().shared_with(own).size() +
                                                pods_.objects().fresh.shared_with(own).size());
  job.status.failed += active;
  tally.counted[place(ChargeCause::kApplication)] += active;
  pods_.remove(own, now_us);
  return active > 0;
}

void PodController::tell_cause(Turn& turn, std::uint32_t child, ChargeCause cause,
                               std::int64_t used, bool ignored) {
  Step& step = add_step(turn, ignored ? Common::kPodIgnored : Common::kPodFailed, turn.woken_by);
  charge(step, children_[child], cause, used, ignored);
}

void PodController::tell(Turn& turn, std::uint32_t child, const Tally& tally) {
  const JobObject& job = memory_.jobs[child];
  std::int64_t used = job.status.failed;
  for (const std::int64_t counted : tally.counted) {
    used -= counted;
  }
  ChargeCause last = ChargeCause::kApplication;
  for (const ChargeCause cause : kCauses) {
    if (tally.counted[place(cause)] > 0) {
      last = cause;
      used += tally.counted[place(cause)];
      tell_cause(turn, child, cause, used, false);
    }
  }
  for (const ChargeCause cause : kCauses) {
    if (tally.ignored[place(cause)] > 0) {
      tell_cause(turn, child, cause, used, true);
    }
  }
  const std::uint64_t indexes = job.status.failed_indexes.size();
  if (indexes == tally.indexes_before) {
    return;
  }
  charge_indexes(add_step(turn, Common::kIndexFailed, turn.woken_by), children_[child], last,
                 static_cast<std::int64_t>(indexes));
  if (tally.indexes_before == 0 && !job.target) {
    add_step(turn, Common::kIndexMissing, turn.woken_by)
        .rejected.push_back({"fail the Job", "indexes that have not failed go on"});
  }
}

// The Job is Failed when the last of its pods is gone (enactJobFinished, job_controller.go:1631).
void PodController::finish(Turn& turn, std::uint32_t child) {
  JobObject& job = memory_.jobs[child];
  const RankSet own = pods_of(child);
  if (pods_.objects().deleted.overlaps(own) || pods_.objects().old.overlaps(own)) {
    return;
  }
  job.failed = true;
  turn.failed.push_back({.at = turn.woken_by,
                         .child = child,
                         .reason = job.target->reason,
                         .message = job.target->message,
                         .cause = static_cast<ChargeCause>(job.target->cause)});
}

// Makes pods for all places that lack one, but for indexes that have failed for good (manageJob,
// job_controller.go:1775). False: none.
bool PodController::manage(Turn& turn, std::uint32_t child) {
  const JobObject& job = memory_.jobs[child];
  const pods::PodObjects& pods = pods_.objects();
  RankSet missing =
      pods_of(child).without(pods_.alive()).without(pods.fresh).without(pods.succeeded);
  if (children_[child].spec.replaces_failed_only) {
    missing = missing.without(pods.deleted).without(pods.old);
  }
  for (const RankSet::Interval& interval : job.status.failed_indexes.intervals()) {
    missing = missing.without(
        RankSet::range(first_pod_[child] + interval.first, first_pod_[child] + interval.end));
  }
  const RankSet due = missing.empty() ? missing : due_of(child, missing, turn.batch.t_us);
  if (due.empty()) {
    return false;
  }
  pods_.make(due);
  if (std::exchange(queues_[child].begun, true)) {
    add_step(turn, Common::kRecreate, turn.woken_by);
  }
  return true;
}

// Those whose delay is over. Where none is, the controller looks again when the first one's is.
RankSet PodController::due_of(std::uint32_t child, const RankSet& missing, TimeUs now_us) {
  JobQueue& queue = queues_[child];
  const JobObject& job = memory_.jobs[child];
  if (!children_[child].spec.backoff_limit_per_index) {
    const TimeUs due_us = whole_second(queue.failed_us) + backoff_us(queue.failures);
    if (queue.failures == 0 || due_us <= now_us) {
      return missing;
    }
    queue.delayed_us = due_us;
    request(child, due_us);
    return {};
  }
  RankSet ready = missing;
  std::optional<TimeUs> next_us;
  for (const IndexFailures& of : job.status.by_index) {
    const std::uint32_t pod = first_pod_[child] + of.index;
    const TimeUs due_us = whole_second(of.failed_us) + backoff_us(of.failures + of.ignored);
    if (due_us > now_us && missing.contains(pod)) {
      ready = ready.without(RankSet::range(pod, pod + 1));
      next_us = std::min(next_us.value_or(due_us), due_us);
      queue.delayed_us = std::max(queue.delayed_us.value_or(due_us), due_us);
    }
  }
  if (ready.empty() && next_us) {
    request(child, *next_us);
  }
  return ready;
}

void PodController::create_job(std::uint32_t child, TimeUs now_us) {
  memory_.jobs[child] = {.started_us = whole_second(now_us)};
  pods_.forget_success(pods_of(child));
  queues_[child] = {};
  request(child, now_us);
}

void PodController::delete_job(std::uint32_t child) {
  JobObject& job = memory_.jobs[child];
  deleting_ += job.deleting ? 0 : 1;
  job.deleting = true;
  job.unseen.clear();
  job.delayed.clear();
  queues_[child].sync_us.reset();
}

void PodController::restart_all(TimeUs now_us) {
  pods_.remove(pods_.all(), now_us);
  pods_.count_now(pods_.all());
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    delete_job(child);
  }
}

void PodController::restart_one(std::uint32_t child, TimeUs now_us) {
  pods_.remove(pods_of(child), now_us);
  pods_.count_now(pods_of(child));
  delete_job(child);
}

// A Job is there again when the one before it is gone with all its pods (shouldCreateJob,
// jobset_controller.go:990).
bool PodController::recreate_jobs(TimeUs now_us) {
  if (deleting_ == 0) {
    return false;
  }
  RankSet left = pods_.objects().deleted;
  left.add(pods_.objects().old);
  const auto is_left = [&](std::uint32_t child) {
    return memory_.jobs[child].deleting && left.overlaps(pods_of(child));
  };
  bool made = false;
  for (std::uint32_t child = 0; set_.waits_for_all && child < children_.size(); ++child) {
    if (is_left(child)) {
      return false;
    }
  }
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    if (memory_.jobs[child].deleting && !is_left(child)) {
      create_job(child, now_us);
      --deleting_;
      made = true;
    }
  }
  return made;
}

}  // namespace aftershock::policies::job
