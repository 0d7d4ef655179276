#include "policies/kubeflow/pytorch_job.h"
#include "policies/parts/exit_codes.h"
#include "policies/parts/rank_pods.h"

// Nodes that are lost, and starts that fail, before all pods run. Pods of a lost node stay bound to
// it for as long as they tolerate it, and those that have come up wait for them in their
// rendezvous.
namespace aftershock::policies::kubeflow {

// Pods of a node that is taken away in order go with it, and an agent that is told to go takes its
// pod along.
void PytorchJob::lost_on_the_way(Turn& turn) {
  broken_ = broken_ || turn.start_failed.has_value();
  turn.start_failed.reset();  // it says the same
  std::optional<Index> taken;
  for (const Index at : turn.lost) {
    const auto* node = std::get_if<NodeUnreachable>(&turn.batch.events[at]);
    if (node != nullptr && !node->preempted && !sizes_) {
      tolerate(turn, at, node->ranks);
    } else {
      taken = taken.value_or(at);
    }
  }
  if (!taken) {
    return;
  }
  add_step(turn, rule(RuleId::kNodeLostStarting), state(), *taken);
  if (!ended_us_ || restart_us_ <= turn.batch.t_us) {  // else kubelets wait before they restart
    replace_lost(turn, *taken);
  }
}

void PytorchJob::start_failed(Turn& turn, Index at) {
  const auto* failed = std::get_if<AttemptStartFailed>(&turn.batch.events[at]);
  const RankSet ranks = failed == nullptr ? RankSet() : failed->ranks;
  if (turn.unplaced) {
    give_up(turn, at, rule(RuleId::kElasticTimeout));
  } else if (tolerates() && ranks.without(gone()).empty()) {
    broken_ = true;
  } else {
    pods_failed(turn, at, ranks, 1, ChargeCause::kApplication);
  }
}

void PytorchJob::settle_on_the_way(Turn& turn) {
  const auto goes_on = [this] { return !running() && state() < PodGroupState::kCompleted; };
  if (!turn.back.empty()) {
    back_on_the_way(turn);
  }
  if (goes_on() && turn.objects_gone && !deleted_.without(staying()).empty()) {
    evict_on_the_way(turn, *turn.objects_gone, deleted_.without(staying()));
  }
  while (goes_on() && turn.timer && tolerates() && tolerated_.front().due_us <= turn.batch.t_us) {
    toleration_over(turn, *turn.timer);
  }
}

// Those of several nodes are made anew with the last of them, as the group begins whole.
void PytorchJob::evict_on_the_way(Turn& turn, Index at, const RankSet& ranks) {
  tolerate_no_more(ranks);
  deleted_ = deleted_.without(ranks);
  if (config_.backoff_limit == 0U) {  // by whatever end (judge_failed_pod())
    past_the_limit(turn, at, ChargeCause::kNode);
    return;
  }
  forget(whole_pods(ranks, config_.nproc_per_node, workers_));
  add_step(turn, rule(RuleId::kEvicted), PodGroupState::kRestarting, at)
      .budgets.push_back(exempt(ChargeCause::kNode));
  evicted_.add(ranks);
  make_evicted_anew(turn, at);
}

void PytorchJob::make_evicted_anew(Turn& turn, Index at) {
  if (!ended_us_ && !tolerates() && deleted_.empty()) {
    broken_ = false;
    evicted_ = {};
    replace_lost(turn, at);
  }
}

// The others, which waited for them, go on with pods that ran on behind a cut; containers that
// ended with their node have failed.
void PytorchJob::back_on_the_way(Turn& turn) {
  const Index at = turn.back.front();
  RankSet back;
  RankSet ended;
  for (const Index each : turn.back) {
    const NodeJoined& joined = joined_at(turn, each);
    const RankSet own = joined.ranks.shared_with(gone()).without(evicted_);
    back.add(own);
    ended.add(joined.alive ? RankSet() : own);
  }
  if (back.empty()) {
    return;
  }
  regain(back);
  tolerate_no_more(back);
  add_step(turn, rule(RuleId::kReachedAgain), state(), at).saw = turn.back;
  if (!ended.empty()) {
    pods_failed(turn, at, ended, kEndedWithNode, ChargeCause::kNode);
  } else if (!gone().empty()) {
    make_evicted_anew(turn, at);
  } else if (ended_us_) {
    return;  // a kubelet has yet to start its container
  } else if (broken_ && starting()) {
    broken_ = false;
    restart_processes(turn, at);
  } else {
    release(turn, at);
  }
}

}  // namespace aftershock::policies::kubeflow
