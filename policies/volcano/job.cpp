#include "policies/volcano/job.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/parts/charge_causes.h"
#include "policies/parts/exit_codes.h"
#include "policies/parts/rank_pods.h"

// The events of a Volcano job.
namespace aftershock::policies::volcano {
namespace {

constexpr std::uint16_t rule(RuleId id) { return static_cast<std::uint16_t>(id); }

constexpr PodGroupRules kGroupRules{
    .submitted = rule(RuleId::kPending),
    .taken_up = rule(RuleId::kTakenUp),
    .running = rule(RuleId::kRunning),
    .finished = rule(RuleId::kCompleted),
    .stopped_by_user = rule(RuleId::kCommandAbort),
    .hang_ignored = rule(RuleId::kHangNotWatched),
    .notice_ignored = rule(RuleId::kPreemptionIgnored),
    .not_current = rule(RuleId::kEventNotCurrent),
    .command_failed = rule(RuleId::kCommandFailed),
    .lost_on_the_way = rule(RuleId::kNodeLostPending),
    .again = rule(RuleId::kPods),
};

}  // namespace

VolcanoJob::VolcanoJob(Config config)
    : PodGroup(policy_info(), kGroupRules, {.grace_us = config.grace_us}),
      config_(std::move(config)) {
  waits_for_objects_ = true;
  pending_again_ = true;  // when none of its old pods ends any more (state/restarting.go:46)
}

// RetryCount may grow to one less than maxRetry.
std::vector<BudgetState> VolcanoJob::budgets() const {
  return {{retries_, std::int64_t{config_.max_retry} - 1}};
}

std::unique_ptr<Policy> VolcanoJob::clone() const { return std::make_unique<VolcanoJob>(*this); }

nlohmann::json VolcanoJob::memory() const { return {{"RetryCount", retries_}}; }

void VolcanoJob::remember(const nlohmann::json& memory) {
  const bool there = memory.is_object() && memory.contains("RetryCount") &&
                     memory["RetryCount"].is_number_unsigned();
  retries_ = there ? memory["RetryCount"].get<std::int64_t>() : 0;
}

void VolcanoJob::came_up() {
  down_ = {};
  restarting_ = false;
  evict_us_.reset();
  deleted_ = {};
  delayed_.clear();  // all pods run again
}

std::optional<DurationUs> VolcanoJob::placement_wait_us() const {
  const Answer* answer = answer_to({.event = Happening::kPodPending, .pods = everyone()});
  return answer == nullptr ? std::nullopt : std::optional(answer->timeout_us.value_or(kSecondUs));
}

void VolcanoJob::look(Watch& watch) const {
  if (evict_us_ && running()) {
    watch.wake_us = evict_us_;
  }
  for (const Delayed& one : delayed_) {
    watch.wake_us = std::min(watch.wake_us.value_or(one.due_us), one.due_us);
  }
}

void VolcanoJob::settle(Turn& turn) {
  delays_over(turn);
  if (ended()) {
    return;
  }
  if (turn.start_failed) {
    start_failed(turn);
    return;
  }
  if (!running()) {
    return;
  }
  if (!turn.lost.empty()) {
    node_lost(turn);
  }
  for (std::size_t i = 0; i < turn.back.size() && running() && !ended(); ++i) {
    node_back(turn, turn.back[i]);
  }
  if (running() && !ended()) {
    workers_failed(turn);
  }
  if (running() && !ended() && turn.some_finished) {
    task_finished(turn);
  }
  if (running() && !ended() && turn.objects_gone && !staying().overlaps(gone().without(down_))) {
    evict(turn, *turn.objects_gone);
  }
  if (running() && !ended() && turn.timer && evict_us_ && *evict_us_ <= turn.batch.t_us) {
    toleration_over(turn, *turn.timer);
  }
}

void VolcanoJob::start_failed(Turn& turn) {
  const Index at = *turn.start_failed;
  if (turn.unplaced) {
    add_step(turn, rule(RuleId::kPodPending), state(), at);
    act(turn, at,
        {.event = Happening::kPodPending, .pods = everyone(), .cause = ChargeCause::kNode});
    return;
  }
  const auto* failed = std::get_if<AttemptStartFailed>(&turn.batch.events[at]);
  const RankSet ranks =
      failed == nullptr || failed->ranks.empty() ? RankSet::range(0, 1) : failed->ranks;
  act(turn, at,
      {.event = Happening::kPodFailed,
       .exit_code = 1,
       .pods = whole_pods(ranks, config_.ranks_per_pod, workers_)});
}

void VolcanoJob::workers_failed(Turn& turn) {
  for (const Index at : turn.failed) {
    const WorkersFailed& failed = failed_at(turn, at);
    RankSet pods = whole_pods(failed.ranks, config_.ranks_per_pod, workers_);
    pods = pods.without(down_).without(gone());
    if (pods.empty()) {
      continue;
    }
    act(turn, at,
        {.event = Happening::kPodFailed,
         .exit_code = exit_code_of(failed),
         .pods = std::move(pods),
         .cause = cause_of(failed)});
    if (!running() || ended()) {
      return;
    }
  }
}

// Pods of a node that was taken away in order are deleted with it.
void VolcanoJob::node_lost(Turn& turn) {
  const Index at = turn.lost.front();
  if (gone().without(down_).empty()) {
    return;
  }
  const auto* node = std::get_if<NodeUnreachable>(&turn.batch.events[at]);
  const auto* ranks = std::get_if<WorkersFailed>(&turn.batch.events[at]);
  if ((node != nullptr && node->preempted) || (ranks != nullptr && ranks->preempted)) {
    preempted(turn, at);
  } else if (!evict_us_) {
    evict_us_ = turn.batch.t_us + config_.toleration_us;
    add_step(turn, rule(RuleId::kNodeLost), state(), at);
  }
}

// A pod that was preempted has failed before it is gone (Kubernetes 1.36.3,
// pkg/kubelet/status/status_manager.go:1247), so that PodFailed comes first.
void VolcanoJob::preempted(Turn& turn, Index at) {
  const Occurrence failed{
      .event = Happening::kPodFailed,
      .pods = whole_pods(gone(), config_.ranks_per_pod, workers_).without(down_),
      .cause = ChargeCause::kPreemption};
  if (action_for(failed) == Action::kSyncJob) {
    evict(turn, at, ChargeCause::kPreemption);
  } else {
    act(turn, at, failed);
  }
}

// A pod is PodEvicted when it is gone.
void VolcanoJob::toleration_over(Turn& turn, Index at) {
  if (!staying().overlaps(gone())) {
    evict(turn, at);
    return;
  }
  evict_us_.reset();
  deleted_.add(gone().without(down_));
  add_step(turn, rule(RuleId::kTerminating), state(), at);
}

// The taint that would evict its pods goes. Containers that ended with the node have failed.
void VolcanoJob::node_back(Turn& turn, Index at) {
  const NodeJoined& joined = joined_at(turn, at);
  if (deleted_.overlaps(joined.ranks)) {
    if (!staying().overlaps(gone().without(down_))) {
      evict(turn, at);  // the kubelet ends what was deleted
    }
    return;
  }
  const RankSet back = joined.ranks.shared_with(gone()).without(down_);
  if (back.empty()) {
    return;
  }
  regain(back);
  if (gone().without(down_).empty()) {
    evict_us_.reset();
  }
  add_step(turn, rule(RuleId::kReachedAgain), state(), at);
  if (!joined.alive) {
    act(turn, at,
        {.event = Happening::kPodFailed,
         .exit_code = kEndedWithNode,
         .pods = whole_pods(back, config_.ranks_per_pod, workers_),
         .cause = ChargeCause::kNode});
  }
}

void VolcanoJob::evict(Turn& turn, Index at, ChargeCause cause) {
  evict_us_.reset();
  deleted_ = {};
  const RankSet pods = whole_pods(gone(), config_.ranks_per_pod, workers_).without(down_);
  add_step(turn, rule(RuleId::kEvicted), state(), at);
  act(turn, at, {.event = Happening::kPodEvicted, .pods = pods, .cause = cause});
}

void VolcanoJob::lost_on_the_way(Turn& turn) {
  const RankSet pods = whole_pods(gone(), config_.ranks_per_pod, workers_);
  const Occurrence what{.event = Happening::kPodEvicted, .pods = pods, .cause = ChargeCause::kNode};
  // Pods that are being killed already are not counted again.
  if (!starting() || action_for(what) == Action::kSyncJob) {
    PodGroup::lost_on_the_way(turn);
    return;
  }
  turn.start_failed.reset();
  add_step(turn, rule(RuleId::kEvicted), state(), turn.lost.front());
  act(turn, turn.lost.front(), what);
}

// All pods at once is the group's own end.
void VolcanoJob::task_finished(Turn& turn) {
  std::uint32_t first = 0;
  for (const Task& task : config_.tasks) {
    const std::uint32_t end = std::min(workers_, first + task.replicas * config_.ranks_per_pod);
    const RankSet ranks = RankSet::range(first, end);
    first = end;
    const Occurrence what{.event = Happening::kTaskCompleted, .pods = ranks};
    if (ranks.without(finished_).empty() && action_for(what) == Action::kCompleteJob) {
      add_step(turn, rule(RuleId::kTaskCompleted), PodGroupState::kCompleted, *turn.some_finished)
          .commands.emplace_back(Complete{++last_command_, job_});
      return;
    }
  }
  all_down(turn, *turn.some_finished);
}

}  // namespace aftershock::policies::volcano
