#include <algorithm>
#include <utility>

#include "policies/job/pod_controller.h"

// Attempts, which begin and end whole, of pods that are made and deleted one by one. A new pod
// waits in its rendezvous for the others, and does not end with a gang that it never met.
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

// Pods of the attempt that have not ended, and that nobody has deleted.
RankSet PodController::alive() const {
  return gang_.pods == PodGang::Pods::kNone ? RankSet()
                                            : all_pods()
                                                  .without(memory_.ended)
                                                  .without(memory_.deleted)
                                                  .without(memory_.succeeded);
}

RankSet PodController::lost_pods() const {
  RankSet pods;
  for (const DuePods& lost : memory_.lost) {
    pods.add(lost.pods);
  }
  return pods;
}

// Those whose node is not reached: nobody tells of their end.
RankSet PodController::absent_pods() const {
  RankSet pods = memory_.staying;
  pods.add(lost_pods());
  return pods;
}

DurationUs PodController::longest_grace_us(const RankSet& pods) const {
  DurationUs longest_us = 0;
  each_child(pods, [&](std::uint32_t child, const RankSet& /*share*/) {
    longest_us = std::max(longest_us, children_[child].spec.grace_us);
  });
  return longest_us;
}

// Begins and ends attempts, as the pods that are there want it. False: there is nothing to do.
bool PodController::advance(Turn& turn) {
  switch (gang_.pods) {
    case PodGang::Pods::kNone:
      return begin(turn);
    case PodGang::Pods::kKept:
      return join_again(turn);
    case PodGang::Pods::kLive:
      return end_attempt(turn);
    case PodGang::Pods::kStopping:
    case PodGang::Pods::kRemoving:
      break;
  }
  return false;
}

void PodController::join() {
  memory_.old.add(memory_.deleted);
  memory_.deleted = {};
  memory_.unfailed = {};
  memory_.staying = {};
  memory_.fresh = {};
  memory_.ended = {};
  memory_.live = true;
  memory_.unmet = false;
  running_ = false;
}

// An attempt begins when there is a pod for each place.
bool PodController::begin(Turn& turn) {
  if (memory_.fresh != all_pods()) {
    return false;
  }
  join();
  memory_.lost.clear();
  const Index at = turn.stopped.value_or(turn.woken_by);
  Step& step = turn.created ? turn.decision.steps.back() : add_step(turn, Common::kStarted, at);
  step.commands.emplace_back(gang_.start());
  return true;
}

// The script again in containers that were kept, and new pods beside them.
bool PodController::join_again(Turn& turn) {
  const RankSet anew = ranks_of(memory_.fresh);
  join();
  Step& step = add_step(turn, Common::kStarted, turn.stopped.value_or(turn.woken_by));
  step.commands.emplace_back(anew.empty() ? gang_.restart() : gang_.recreate(anew));
  return true;
}

// Processes of pods that have all ended, or are all being deleted, are stopped.
bool PodController::end_attempt(Turn& turn) {
  const RankSet living = alive();
  if (living.empty() && memory_.succeeded != all_pods()) {
    const RankSet here = memory_.deleted.without(absent_pods());
    memory_.unmet = false;
    running_ = false;
    add_step(turn, Common::kAllEnded, turn.woken_by)
        .commands.emplace_back(gang_.remove(longest_grace_us(here)));
    return true;
  }
  return mend(turn, living);
}

// An attempt that has not met begins again when there are pods for those that failed: until then
// the others wait for them. A set that restarts in place does so with each new pod.
bool PodController::mend(Turn& turn, const RankSet& living) {
  if (set_.in_place && !memory_.unmet && !memory_.fresh.empty()) {
    if (!restarts_in_place(turn, turn.woken_by, ChargeCause::kNode)) {
      return true;
    }
    memory_.unmet = true;
  }
  const RankSet here = memory_.deleted.without(absent_pods());
  const bool all_answer = living.shared_with(absent_pods()).empty();
  if (!memory_.unmet || living.size() + memory_.fresh.size() < pods_ || !here.empty() ||
      !all_answer) {
    return false;
  }
  running_ = false;
  add_step(turn, Common::kJoined, turn.woken_by)
      .commands.emplace_back(gang_.stop(longest_grace_us(living), ranks_of(memory_.fresh)));
  return true;
}

}  // namespace aftershock::policies::job
