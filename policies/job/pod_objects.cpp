#include <algorithm>
#include <utility>

#include "policies/job/pod_controller.h"
#include "policies/parts/exit_codes.h"

// Pods as a Job sees them: which of those that ended it has yet to count.
namespace aftershock::policies::job {

// Pods that no number is given for share what there is, one worker a pod.
void PodController::lay_out(std::uint32_t workers) {
  memory_.workers = workers;
  const auto jobs = static_cast<std::uint32_t>(children_.size());
  std::uint32_t first = 0;
  first_pod_.clear();
  std::vector<pods::PodTerms> terms;
  for (Child& child : children_) {
    if (child.pods == 0) {
      child.pods = std::max(1U, workers / jobs);
    }
    first_pod_.push_back(first);
    first += child.pods;
    terms.push_back({.pods = child.pods,
                     .grace_us = child.spec.grace_us,
                     .toleration_us = child.spec.toleration_us,
                     .fails_when_gone = child.spec.replaces_failed_only});
  }
  pods_.lay_out(std::move(terms), workers);
}

RankSet PodController::pods_of(std::uint32_t child) const {
  return RankSet::range(first_pod_[child], first_pod_[child] + children_[child].pods);
}

// Begins and ends attempts. A set that restarts in place does so with each new pod. False: there is
// nothing to do.
bool PodController::advance(Turn& turn) {
  using Kind = pods::PodTable::Move::Kind;
  if (set_.in_place && pods_.trains() && !pods_.objects().unmet && !pods_.objects().fresh.empty()) {
    if (!restarts_in_place(turn, turn.woken_by, ChargeCause::kNode)) {
      return true;
    }
    pods_.wait_for_others();
  }
  auto move = pods_.advance();
  if (!move) {
    return false;
  }
  const Index at = turn.stopped.value_or(turn.woken_by);
  if (move->kind != Kind::kStarted) {
    add_step(turn, move->kind == Kind::kJoined ? Common::kJoined : Common::kAllEnded,
             turn.woken_by);
  } else if (!turn.created) {
    add_step(turn, Common::kStarted, at);
  }
  turn.decision.steps.back().commands.push_back(std::move(move->command));
  return true;
}

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

void PodController::pods_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end,
                                ChargeCause cause) {
  const auto change = pods_.fail(pods);
  if (!change) {
    turn.not_current.push_back(at);
    return;
  }
  PodEnd evicted = end;
  evicted.disrupted = true;
  unseen(change->failed, turn.batch.t_us, end, cause);
  unseen(change->late, turn.batch.t_us, evicted, cause);
  touch(change->heard, turn.batch.t_us);
  add_step(turn, Common::kPodEnded, at);
}

void PodController::process_failed(Turn& turn, Index at, const RankSet& pods, const PodEnd& end,
                                   ChargeCause cause) {
  if (!set_.in_place) {
    pods_failed(turn, at, pods, end, cause);
  } else if (pods_.objects().unmet) {
    turn.not_current.push_back(at);
  } else if (restarts_in_place(turn, at, cause)) {
    pods_.wait_for_others();
  }
}

void PodController::pods_lost(Turn& turn, Index at, const RankSet& pods, bool stays) {
  if (pods_.lose(pods, turn.batch.t_us, stays).empty()) {
    turn.not_current.push_back(at);
  } else {
    add_step(turn, Common::kNodeUnreachable, at);
  }
}

// Evictions that have come due, and the end of pods whose grace is over.
void PodController::pass(Turn& turn) {
  for (const pods::Eviction& eviction : pods_.evict_due(turn.batch.t_us)) {
    evicted(turn, eviction);
  }
  touch(pods_.kill_due(turn.batch.t_us).heard, turn.batch.t_us);
}

void PodController::evicted(Turn& turn, const pods::Eviction& eviction) {
  unseen(eviction.change.failed, turn.batch.t_us, {.exit_code = {}, .disrupted = true},
         ChargeCause::kNode);
  touch(eviction.change.heard, turn.batch.t_us);
  if (eviction.fresh) {
    add_step(turn, Common::kEvicted, turn.woken_by);
  }
  if (!eviction.waiting.empty()) {
    add_step(turn, Common::kTerminating, turn.woken_by)
        .rejected.push_back({"count them, or make them anew", "a pod has failed when it is gone"});
  }
}

// Their objects are gone, which is how those end that nobody could reach.
void PodController::objects_gone(Turn& turn, Index at, const RankSet& pods, const PodEnd& end) {
  const auto change = pods_.take_away(pods);
  if (!change) {
    turn.not_current.push_back(at);
    return;
  }
  RankSet fails = change->failed;
  fails.add(change->late);
  unseen(fails, turn.batch.t_us, end, ChargeCause::kNode);
  touch(change->heard, turn.batch.t_us);
  add_step(turn, Common::kObjectsGone, at);
}

// The kubelet ends pods that were deleted meanwhile, and says which ended with the node. All others
// it leaves alone. False: none of them was lost.
bool PodController::kubelet_back(Turn& turn, Index at, const RankSet& pods, bool alive) {
  const RankSet ends = pods_.ending_when_back(pods);
  if (!ends.empty()) {
    objects_gone(turn, at, ends,
                 {.exit_code = alive ? kKilled : kEndedWithNode, .disrupted = true});
  }
  const RankSet back = pods_.come_back(pods, alive);
  if (back.empty()) {
    return !ends.empty();
  }
  if (alive) {
    add_step(turn, Common::kReachedAgain, at);
  } else {
    pods_failed(turn, at, back, {.exit_code = kEndedWithNode}, ChargeCause::kNode);
  }
  return true;
}

}  // namespace aftershock::policies::job
