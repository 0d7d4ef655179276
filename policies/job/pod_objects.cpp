#include <utility>

#include "policies/job/pod_controller.h"

// Pods of a lost node as objects: an eviction deletes them, and they are gone when their kubelet is
// back and has ended them, or when somebody removed them (findings of Job 1.37 and JobSet 0.12).
namespace aftershock::policies::job {

// A pod that was deleted has failed: by its Job's rule at once, or not before it is gone.
void PodController::evict(Turn& turn, Index at, const RankSet& pods) {
  RankSet waiting;
  for (std::uint32_t child = 0; child < children_.size(); ++child) {
    if (children_[child].spec.replaces_failed_only) {
      waiting.add(pods.shared_with(memory_.staying).shared_with(pods_of(child)));
    }
  }
  add_step(turn, Common::kEvicted, State::kRecovering, at);
  if (!waiting.empty()) {
    memory_.deleted.add(waiting);
    add_step(turn, objects_.terminating, State::kRecovering, at)
        .rejected.push_back({"count them, or make them anew", "a pod has failed when it is gone"});
  }
  if (const RankSet failed = pods.without(waiting); !failed.empty()) {
    pods_failed(turn, at, failed, {.exit_code = {}, .disrupted = true}, ChargeCause::kNode);
  }
}

void PodController::objects_gone(Turn& turn, Index at, const RankSet& pods) {
  const RankSet gone = pods.shared_with(memory_.staying);
  if (gone.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  memory_.staying = memory_.staying.without(gone);
  memory_.deleted = memory_.deleted.without(gone);
  add_step(turn, objects_.gone, State::kRecovering, at);
  for (ChildFailure& failure : held_) {
    failure.at = at;
  }
  if (const RankSet failed = gone.without(memory_.broken); !failed.empty()) {
    pods_failed(turn, at, failed, {.exit_code = {}, .disrupted = true}, ChargeCause::kNode);
  }
}

// The kubelet is back. Pods that were deleted meanwhile it ends, by their Job's eviction or since
// their Job is to be Failed; all others it leaves alone. False: none of them was.
bool PodController::kubelet_ends(Turn& turn, Index at, const RankSet& pods) {
  RankSet ends = memory_.deleted;
  ends.add(memory_.broken);
  ends.add(held_.empty() ? RankSet() : memory_.staying);
  ends = ends.shared_with(pods).shared_with(memory_.staying);
  if (!ends.empty()) {
    objects_gone(turn, at, ends);
  }
  memory_.staying = memory_.staying.without(pods);
  return !ends.empty();
}

// A failed Job is answered when no pod of the set is left on a lost node, and not before.
void PodController::hold_failures(Turn& turn) {
  if (!objects_.failures_wait) {
    return;
  }
  if (!memory_.staying.empty()) {
    held_.insert(held_.end(), turn.failed.begin(), turn.failed.end());
    turn.failed.clear();
  } else if (!held_.empty()) {
    turn.failed.insert(turn.failed.begin(), held_.begin(), held_.end());
    held_.clear();
  }
}

}  // namespace aftershock::policies::job
