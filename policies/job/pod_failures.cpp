#include <algorithm>
#include <utility>

#include "policies/job/pod_controller.h"

// Which pods are whose, and what it comes to when they fail.
namespace aftershock::policies::job {

// Pods that no number is given for share what there is, one worker a pod.
void PodController::lay_out(std::uint32_t workers) {
  gang_.workers = workers;
  memory_.workers = workers;
  const auto jobs = static_cast<std::uint32_t>(children_.size());
  pods_ = 0;
  first_pod_.clear();
  for (Child& child : children_) {
    if (child.pods == 0) {
      child.pods = std::max(1U, workers / jobs);
    }
    first_pod_.push_back(pods_);
    pods_ += child.pods;
  }
}

RankSet PodController::pods_with(const RankSet& ranks) const {
  const std::uint32_t per_pod = std::max(1U, gang_.workers / std::max(1U, pods_));
  RankSet pods;
  for (const RankSet::Interval& interval : ranks.intervals()) {
    pods.add(std::min(interval.first / per_pod, pods_ - 1),
             std::min((interval.end - 1) / per_pod, pods_ - 1) + 1);
  }
  return pods;
}

RankSet PodController::ranks_of(const RankSet& pods) const {
  const std::uint32_t per_pod = std::max(1U, gang_.workers / std::max(1U, pods_));
  RankSet ranks;
  for (const RankSet::Interval& interval : pods.intervals()) {
    const bool last = interval.end == pods_;
    ranks.add(interval.first * per_pod, last ? gang_.workers : interval.end * per_pod);
  }
  return ranks;
}

RankSet PodController::pods_of(std::uint32_t child) const {
  return RankSet::range(first_pod_[child], first_pod_[child] + children_[child].pods);
}

RankSet PodController::without_node() const {
  RankSet pods = memory_.disrupted;
  pods.add(lost_pods());
  pods.add(memory_.deleted);
  return pods;
}

RankSet PodController::lost_pods() const {
  RankSet pods;
  for (const LostPods& lost : memory_.lost) {
    pods.add(lost.pods);
  }
  return pods;
}

void PodController::forget_lost(const RankSet& pods) {
  for (LostPods& lost : memory_.lost) {
    lost.pods = lost.pods.without(pods);
  }
  std::erase_if(memory_.lost, [](const LostPods& lost) { return lost.pods.empty(); });
}

// Nobody knows whether they run: they are left alone for as long as they tolerate it.
void PodController::pods_lost(Turn& turn, Index at, const RankSet& pods) {
  RankSet fresh = pods.without(memory_.broken).without(lost_pods()).without(memory_.deleted);
  if (fresh.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  DurationUs toleration_us = 0;
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    if (fresh.overlaps(pods_of(child))) {
      toleration_us = std::max(toleration_us, children_[child].spec.toleration_us);
    }
  }
  memory_.lost.push_back({std::move(fresh), turn.batch.t_us + toleration_us});
  std::ranges::stable_sort(memory_.lost, {}, &LostPods::due_us);
  add_step(turn, Common::kNodeUnreachable, state_ == State::kRunning ? State::kRecovering : state_,
           at);
}

void PodController::pods_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end,
                                ChargeCause cause) {
  const RankSet fresh = pods.without(memory_.broken);
  if (fresh.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  memory_.broken.add(fresh);
  memory_.disrupted.add(end.disrupted ? fresh : RankSet());
  forget_lost(fresh);
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    const RankSet share = fresh.shared_with(pods_of(child));
    if (!share.empty()) {
      count_failed(turn, at, child, share, end, cause);
    }
  }
  if (memory_.broken != all_pods()) {
    return;  // new pods find no peers, until the others have failed as well
  }
  const bool missing = index_missing();
  if (missing && turn.failed.empty()) {
    add_step(turn, Common::kIndexMissing, State::kRecovering, at)
        .rejected.push_back({"fail the Job", "indexes that have not failed go on"});
  }
  memory_.gang_broken = !missing;
  anew_ = ranks_of(all_pods());
}

// The Job of these pods counts the failure.
void PodController::count_failed(Turn& turn, Index at, std::uint32_t child, const RankSet& pods,
                                 const PodEnd& end, ChargeCause cause) {
  RankSet indexes;
  for (const RankSet::Interval& interval : pods.intervals()) {
    indexes.add(interval.first - first_pod_[child], interval.end - first_pod_[child]);
  }
  const Child& one = children_[child];
  Status& status = memory_.children[child];
  const Verdict verdict = take_failure(one.spec, status, indexes, end, one.pods);
  const Common rule = verdict == Verdict::kIgnored       ? Common::kPodIgnored
                      : verdict == Verdict::kIndexFailed ? Common::kIndexFailed
                                                         : Common::kPodFailed;
  charge(add_step(turn, rule, State::kRecovering, at), one, status, verdict, cause);
  if (is_failed(verdict)) {
    turn.failed.push_back({.at = at,
                           .child = child,
                           .reason = reason_of(verdict),
                           .message = message_of(verdict, end),
                           .cause = cause});
  }
  const TimeUs due_us = turn.batch.t_us + backoff_us(one.spec, status);
  if (due_us > memory_.due_us) {
    memory_.due_us = due_us;
    delayed_since_us_ = turn.batch.t_us;
  }
}

// A gang that lacks one is never whole again.
bool PodController::index_missing() const {
  return std::ranges::any_of(memory_.children,
                             [](const Status& status) { return !status.failed_indexes.empty(); });
}

}  // namespace aftershock::policies::job
