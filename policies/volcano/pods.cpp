#include <algorithm>
#include <utility>

#include "policies/volcano/job.h"

// The pods of a Volcano job: what becomes of them is asked about, pod by pod, and the scheduler and
// kubelets do their part.
namespace aftershock::policies::volcano {

// The last task has all that is left over.
void VolcanoJob::lay_out(std::uint32_t workers) {
  const std::uint32_t pods = workers == 0 ? 0 : (workers - 1) / config_.ranks_per_pod + 1;
  std::uint32_t first = 0;
  tasks_.clear();
  for (const Task& task : config_.tasks) {
    const bool last = &task == &config_.tasks.back();
    const std::uint32_t end = last ? pods : first + std::min(pods - first, task.replicas);
    tasks_.push_back(RankSet::range(first, end));
    first = end;
  }
  if (tasks_.empty()) {
    tasks_.push_back(RankSet::range(0, pods));
  }
  pods_.lay_out({{.pods = pods,
                  .grace_us = config_.grace_us,
                  .toleration_us = config_.toleration_us,
                  .fails_when_gone = true}},
                workers, config_.ranks_per_pod);
}

RankSet VolcanoJob::terminating(const Turn& turn) const {
  RankSet pods = pods_.objects().deleted;
  pods.add(pods_.objects().old);
  pods.add(turn.going);
  return pods;
}

RankSet VolcanoJob::present(const Turn& turn) const {
  RankSet pods = terminating(turn);
  pods.add(pods_.alive());
  pods.add(pods_.objects().fresh);
  pods.add(pods_.objects().succeeded);
  pods.add(status_.failed);
  return pods;
}

// Requests that say the same are one (workqueue).
void VolcanoJob::ask_to_look(Turn& turn, Index at) {
  if (!std::exchange(turn.look_asked, true)) {
    turn.requests.push_back({.at = at});
  }
}

void VolcanoJob::ask_each(Turn& turn, const Request& request, const RankSet& pods) {
  for (const RankSet::Interval& interval : pods.intervals()) {
    for (std::uint32_t pod = interval.first; pod < interval.end; ++pod) {
      Request one = request;
      one.pod = pod;
      one.version = status_.version - (status_.outdated.contains(pod) ? 1 : 0);
      turn.requests.push_back(std::move(one));
    }
  }
}

// A pod that goes has failed first, and its kubelet removes it when the controller has seen that.
void VolcanoJob::pods_ended(Turn& turn, Index at, const pods::PodChange& change,
                            std::int32_t exit_code, ChargeCause cause) {
  RankSet fails = change.failed;
  fails.add(change.late);
  status_.failed.add(change.failed.without(change.gone));
  status_.pending = status_.pending.without(fails);
  if (!fails.empty()) {
    status_.last_cause = static_cast<std::uint32_t>(cause);
  }
  ask_each(turn, {.event = Happening::kPodFailed, .exit_code = exit_code, .cause = cause, .at = at},
           fails);
  if (change.gone.empty()) {
    return;
  }
  turn.going = change.gone;
  work(turn);
  turn.going = {};
  pods_removed(turn, at, change.gone, cause);
}

void VolcanoJob::pods_removed(Turn& turn, Index at, const RankSet& pods, ChargeCause cause) {
  if (pods.overlaps(status_.out_of_sync)) {
    ask_to_look(turn, at);
  }
  ask_each(turn, {.event = Happening::kPodEvicted, .cause = cause, .at = at},
           pods.without(status_.out_of_sync));
  for (RankSet* of : {&status_.pending, &status_.failed, &status_.out_of_sync}) {
    *of = of->without(pods);
  }
}

void VolcanoJob::pods_lost(Turn& turn, Index at, const RankSet& pods, bool stays) {
  if (!pods_.lose(pods, turn.batch.t_us, stays).empty()) {
    add_step(turn, RuleId::kNodeLost, at);
  } else if (!pods.overlaps(pods_.absent())) {  // of others it is told by node and by process
    turn.not_current.push_back(at);
  }
}

// Evictions that have come due, and the end of pods whose grace is over.
void VolcanoJob::pass(Turn& turn) {
  for (const pods::Eviction& eviction : pods_.evict_due(turn.batch.t_us)) {
    if (eviction.fresh) {
      add_step(turn, eviction.waiting.empty() ? RuleId::kEvicted : RuleId::kTerminating,
               turn.woken_by);
    }
    status_.last_cause = static_cast<std::uint32_t>(ChargeCause::kNode);
    pods_ended(turn, turn.woken_by, eviction.change, 0, ChargeCause::kNode);
    if (!eviction.waiting.empty()) {
      ask_to_look(turn, turn.woken_by);
    }
    if (over()) {
      return;
    }
  }
  const pods::PodChange killed = pods_.kill_due(turn.batch.t_us);
  if (!killed.gone.empty()) {
    pods_ended(turn, turn.woken_by, killed, 0, ChargeCause::kApplication);
  }
}

void VolcanoJob::run(Turn& turn, const RankSet& pods, Index at) {
  status_.pending = status_.pending.without(pods);
  pending_no_more(pods, true);
  ask_to_look(turn, at);
}

// A group is let in, pods that come while others train run and wait for these, and those of a node
// that was taken away are removed. False: nothing of it was to be done.
bool VolcanoJob::schedule(Turn& turn) {
  bool acted = false;
  if (status_.group == static_cast<std::uint32_t>(Group::kNew)) {
    status_.group = static_cast<std::uint32_t>(Group::kInqueue);
    ask_to_look(turn, turn.woken_by);
    acted = true;
  }
  if (pods_.live() && (pods_.running() || pods_.objects().unmet)) {
    const RankSet waiting = pods_.objects().fresh.shared_with(status_.pending);
    if (!waiting.empty()) {
      run(turn, waiting, turn.woken_by);
      acted = true;
    }
  }
  const RankSet taken = std::exchange(turn.taken, {}).shared_with(status_.failed);
  if (!taken.empty()) {
    pods_removed(turn, turn.woken_by, taken, ChargeCause::kPreemption);
    acted = true;
  }
  return acted;
}

}  // namespace aftershock::policies::volcano
