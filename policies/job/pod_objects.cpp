#include <algorithm>
#include <utility>

#include "policies/job/pod_controller.h"
#include "policies/parts/exit_codes.h"

// Pods as objects: how they end, and when they are gone. A pod that is deleted has its grace; on a
// node that is not reached it stays until its kubelet is back, or somebody removes it.
namespace aftershock::policies::job {
namespace {

constexpr std::int32_t kKilled = 137;

}  // namespace

// Their Job hears of it, and looks a second later (SyncJobBatchPeriod, job_controller.go:73).
void PodController::touch(const RankSet& pods, TimeUs now_us) {
  each_child(pods, [&](std::uint32_t child, const RankSet& /*share*/) {
    queues_[child].changed = true;
    request(child, now_us + kSecondUs);
  });
}

void PodController::unseen(const RankSet& pods, TimeUs at_us, const PodEnd& end,
                           ChargeCause cause) {
  each_child(pods, [&](std::uint32_t child, const RankSet& share) {
    if (!memory_.jobs[child].deleting) {
      memory_.jobs[child].unseen.push_back({.pods = share,
                                            .at_us = at_us,
                                            .exit_code = end.exit_code,
                                            .disrupted = end.disrupted,
                                            .cause = static_cast<std::uint32_t>(cause)});
    }
  });
}

void PodController::forget_lost(const RankSet& pods) {
  for (DuePods& lost : memory_.lost) {
    lost.pods = lost.pods.without(pods);
  }
  std::erase_if(memory_.lost, [](const DuePods& lost) { return lost.pods.empty(); });
}

// A pod that was deleted has ended for good, and has been counted but where its Job waits for that.
void PodController::pods_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end,
                                ChargeCause cause) {
  const RankSet ends = pods.without(memory_.ended).without(memory_.succeeded);
  if (ends.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  PodEnd evicted = end;
  evicted.disrupted = true;
  unseen(ends.without(memory_.deleted), turn.batch.t_us, end, cause);
  unseen(ends.shared_with(memory_.unfailed), turn.batch.t_us, evicted, cause);
  memory_.ended.add(ends);
  memory_.deleted = memory_.deleted.without(ends);
  memory_.unfailed = memory_.unfailed.without(ends);
  forget_lost(ends);
  touch(ends, turn.batch.t_us);
  add_step(turn, Common::kPodEnded, at);
}

void PodController::process_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end,
                                   ChargeCause cause) {
  if (!set_.in_place) {
    pods_failed(turn, at, pods, end, cause);
  } else if (memory_.unmet) {
    turn.not_current.push_back(at);
  } else if (restarts_in_place(turn, at, cause)) {
    memory_.unmet = true;
  }
}

// Nobody knows whether they run: they are left alone for as long as they tolerate it.
void PodController::pods_lost(Turn& turn, Index at, const RankSet& pods) {
  const RankSet fresh = pods.shared_with(alive()).without(lost_pods());
  if (fresh.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  each_child(fresh, [&](std::uint32_t child, const RankSet& share) {
    const TimeUs due_us = turn.batch.t_us + children_[child].spec.toleration_us;
    const auto same = std::ranges::find(memory_.lost, due_us, &DuePods::due_us);
    if (same == memory_.lost.end()) {
      memory_.lost.push_back({share, due_us});
    } else {
      same->pods.add(share);
    }
  });
  std::ranges::stable_sort(memory_.lost, {}, &DuePods::due_us);
  add_step(turn, Common::kNodeUnreachable, at);
}

// Pods whose Job counts them when they are gone, and not before (onlyReplaceFailedPods).
RankSet PodController::of_those_that_wait(const RankSet& pods) const {
  RankSet waiting;
  each_child(pods, [&](std::uint32_t child, const RankSet& share) {
    waiting.add(children_[child].spec.replaces_failed_only ? share : RankSet());
  });
  return waiting;
}

// Evictions that have come due, and the end of pods whose grace is over.
void PodController::pass(Turn& turn) {
  const TimeUs now_us = turn.batch.t_us;
  while (!memory_.lost.empty() && memory_.lost.front().due_us <= now_us) {
    const RankSet pods = std::exchange(memory_.lost.front().pods, {});
    memory_.lost.erase(memory_.lost.begin());
    evict(turn, pods);
  }
  if (gang_.pods != PodGang::Pods::kLive) {
    return;
  }
  RankSet ends;
  for (DuePods& killed : memory_.killed) {
    ends.add(killed.due_us <= now_us ? killed.pods : RankSet());
  }
  std::erase_if(memory_.killed, [&](const DuePods& one) { return one.due_us <= now_us; });
  ends = ends.shared_with(memory_.deleted);
  memory_.ended.add(ends);
  memory_.deleted = memory_.deleted.without(ends);
  touch(ends, now_us);
}

void PodController::evict(Turn& turn, const RankSet& pods) {
  const RankSet stay = pods.shared_with(memory_.staying);
  const RankSet gone = pods.without(stay);
  const RankSet evicted = pods.without(memory_.deleted);
  const RankSet waiting = of_those_that_wait(evicted.shared_with(stay));
  unseen(evicted.without(waiting), turn.batch.t_us, {.exit_code = {}, .disrupted = true},
         ChargeCause::kNode);
  memory_.ended.add(gone);
  memory_.deleted = memory_.deleted.without(gone);
  memory_.deleted.add(stay);
  memory_.unfailed.add(waiting);
  touch(pods, turn.batch.t_us);
  if (!evicted.empty()) {
    add_step(turn, Common::kEvicted, turn.woken_by);
  }
  if (!waiting.empty()) {
    add_step(turn, Common::kTerminating, turn.woken_by)
        .rejected.push_back({"count them, or make them anew", "a pod has failed when it is gone"});
  }
}

// Their objects are gone, which is how those end that nobody could reach.
void PodController::objects_gone(Turn& turn, Index at, const RankSet& pods, const PodEnd& end) {
  const RankSet absent = absent_pods();
  const RankSet gone = pods.shared_with(absent);
  const RankSet old = pods.shared_with(memory_.old);
  if (gone.empty() && old.empty()) {
    turn.not_current.push_back(at);
    return;
  }
  RankSet fails = gone.without(memory_.deleted).without(memory_.ended);
  fails.add(gone.shared_with(memory_.unfailed));
  unseen(fails, turn.batch.t_us, end, ChargeCause::kNode);
  memory_.old = memory_.old.without(old);
  memory_.ended.add(gone);
  memory_.deleted = memory_.deleted.without(gone);
  memory_.unfailed = memory_.unfailed.without(gone);
  memory_.staying = memory_.staying.without(gone);
  forget_lost(gone);
  touch(gone, turn.batch.t_us);
  touch(old, turn.batch.t_us);
  add_step(turn, Common::kObjectsGone, at);
}

// The kubelet ends pods that were deleted meanwhile, and says which ended with the node. All others
// it leaves alone. False: none of them was lost.
bool PodController::kubelet_back(Turn& turn, Index at, const RankSet& pods, bool alive) {
  const RankSet absent = absent_pods();
  RankSet ends = memory_.deleted.shared_with(absent);
  ends.add(memory_.old);
  ends = ends.shared_with(pods);
  if (!ends.empty()) {
    objects_gone(turn, at, ends,
                 {.exit_code = alive ? kKilled : kEndedWithNode, .disrupted = true});
  }
  memory_.staying = memory_.staying.without(pods);
  const RankSet back = pods.shared_with(lost_pods());
  if (back.empty()) {
    return !ends.empty();
  }
  if (!alive) {
    pods_failed(turn, at, back, {.exit_code = kEndedWithNode}, ChargeCause::kNode);
    return true;
  }
  forget_lost(back);
  add_step(turn, Common::kReachedAgain, at);
  return true;
}

// Pods that no node has are gone at once, all others when they have ended.
void PodController::delete_pods(const RankSet& pods, TimeUs now_us) {
  memory_.fresh = memory_.fresh.without(pods);
  const RankSet deleted = alive().shared_with(pods);
  memory_.deleted.add(deleted);
  each_child(deleted.without(lost_pods()), [&](std::uint32_t child, const RankSet& share) {
    const TimeUs due_us = whole_second(now_us) + children_[child].spec.grace_us;
    const auto same = std::ranges::find(memory_.killed, due_us, &DuePods::due_us);
    if (same == memory_.killed.end()) {
      memory_.killed.push_back({share, due_us});
    } else {
      same->pods.add(share);
    }
  });
}

}  // namespace aftershock::policies::job
