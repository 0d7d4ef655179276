#include "policies/kubeflow/pytorch_job.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "policies/parts/charge_causes.h"
#include "policies/parts/exit_codes.h"
#include "policies/parts/field_json.h"
#include "policies/parts/rank_pods.h"

namespace aftershock::policies::kubeflow {
namespace {

constexpr PodGroupRules kGroupRules{
    .submitted = rule(RuleId::kCreated),
    .taken_up = rule(RuleId::kTakenUp),
    .running = rule(RuleId::kRunning),
    .finished = rule(RuleId::kSucceeded),
    .stopped_by_user = rule(RuleId::kDeleted),
    .hang_ignored = rule(RuleId::kHangNotWatched),
    .notice_ignored = rule(RuleId::kPreemptionIgnored),
    .not_current = rule(RuleId::kEventNotCurrent),
    .command_failed = rule(RuleId::kCommandFailed),
    .lost_on_the_way = rule(RuleId::kNodeLostStarting),
    .again = rule(RuleId::kPods),
};

constexpr std::int32_t kTorchrunFailed = 1;

}  // namespace

PytorchJob::PytorchJob(const Config& config)
    : PodGroup(policy_info(), kGroupRules, {.grace_us = config.grace_us}),
      config_(config),
      agents_{.ranks_each = config.nproc_per_node,
              .limit = config.elastic ? config.elastic->max_restarts : 0} {
  waits_for_objects_ = true;
  if (config_.elastic && config_.elastic->min_replicas) {
    sizes_ = GroupSizes{.ranks_each = config_.nproc_per_node,
                        .least_nodes = *config_.elastic->min_replicas,
                        .last_call_rule = rule(RuleId::kLastCall),
                        .complete_rule = rule(RuleId::kComplete)};
  }
}

std::vector<BudgetState> PytorchJob::budgets() const {
  return {{restarts_.total, limit()}, {agents_.total, agents_.left()}};
}

std::unique_ptr<Policy> PytorchJob::clone() const { return std::make_unique<PytorchJob>(*this); }

nlohmann::json PytorchJob::memory() const {
  return {{"restarts", field_json(restarts_)},
          {"agents", agents_.used},
          {"kubelets", field_json(kubelets_)},
          {"deadline_us", deadline_us_ ? nlohmann::json(*deadline_us_) : nlohmann::json()}};
}

void PytorchJob::remember(const nlohmann::json& memory) {
  const auto field = [&](const char* name, auto value) {
    const bool there = memory.is_object() && memory.contains(name);
    return there ? from_field_text<decltype(value)>(text_from_json(memory[name])).value_or(value)
                 : value;
  };
  restarts_ = field("restarts", restarts_);
  kubelets_ = field("kubelets", kubelets_);
  recall(agents_, memory, "agents");
  const bool has_deadline = memory.is_object() && memory.contains("deadline_us") &&
                            memory["deadline_us"].is_number_unsigned();
  deadline_us_ = has_deadline ? std::optional(memory["deadline_us"].get<TimeUs>()) : std::nullopt;
}

void PytorchJob::came_up() {
  down_ = {};
  deleted_ = {};
  evicted_ = {};
  recreates_ = false;
  broken_ = false;
  unpaid_.clear();
  limit_us_.reset();
  tolerated_.clear();
  ended_us_.reset();
  restart_us_ = 0;
}

// torchrun in the pods waits for its own time; a pod without waits for its node for ever.
std::optional<DurationUs> PytorchJob::placement_wait_us() const {
  return sizes_ ? std::optional(sizes_->join_us) : std::nullopt;
}

void PytorchJob::look(Watch& watch) const {
  // Pods that go as a whole need no eviction.
  const std::optional<TimeUs> evict_us = tolerated_.empty() || !(running() || tolerates())
                                             ? std::nullopt
                                             : std::optional(tolerated_.front().due_us);
  for (const auto& due_us : {evict_us, deadline_us_, limit_us_}) {
    if (due_us) {
      watch.wake_us = std::min(watch.wake_us.value_or(*due_us), *due_us);
    }
  }
  if (ended_us_) {
    watch.wake_us = std::min(watch.wake_us.value_or(restart_us_), restart_us_);
    watch.backoff = Backoff{
        .since_us = *ended_us_, .until_us = restart_us_, .longest_us = KubeletBackoff::kLongestUs};
  }
}

void PytorchJob::settle(Turn& turn) {
  const TimeUs now_us = turn.batch.t_us;
  if (!deadline_us_ && config_.active_deadline_us) {
    deadline_us_ = now_us + *config_.active_deadline_us;
  }
  if (turn.timer && deadline_us_ && *deadline_us_ <= now_us) {
    give_up(turn, *turn.timer, rule(RuleId::kDeadline));
    return;
  }
  if (limit_us_ && turn.timer && *limit_us_ <= now_us) {
    past_the_limit(turn, *turn.timer, cause_);
    return;
  }
  if (ended_us_ && turn.timer && restart_us_ <= now_us) {
    all_down(turn, *turn.timer);
    return;
  }
  if (turn.start_failed) {
    start_failed(turn, *turn.start_failed);
    return;
  }
  if (!running()) {
    settle_on_the_way(turn);
    return;
  }
  node_lost(turn);
  for (std::size_t i = 0; i < turn.back.size() && running() && state() < PodGroupState::kFailed;
       ++i) {
    node_back(turn, turn.back[i]);
  }
  for (std::size_t i = 0; i < turn.failed.size() && running() && state() < PodGroupState::kFailed;
       ++i) {
    const WorkersFailed& failed = failed_at(turn, turn.failed[i]);
    pods_failed(turn, turn.failed[i], failed.ranks, exit_code_of(failed), cause_of(failed));
  }
  const auto goes_on = [this] { return running() && state() < PodGroupState::kFailed; };
  if (goes_on() && turn.objects_gone && !deleted_.without(staying()).empty()) {
    evict(turn, *turn.objects_gone, deleted_.without(staying()));
  }
  while (goes_on() && turn.timer && !tolerated_.empty() && tolerated_.front().due_us <= now_us) {
    toleration_over(turn, *turn.timer);
  }
}

// Pods of a node that was taken away in order are deleted with it.
void PytorchJob::node_lost(Turn& turn) {
  for (std::size_t i = 0; i < turn.lost.size() && running() && state() < PodGroupState::kFailed;
       ++i) {
    const auto& event = turn.batch.events[turn.lost[i]];
    const auto* node = std::get_if<NodeUnreachable>(&event);
    const auto* failed = std::get_if<WorkersFailed>(&event);
    const RankSet& ranks = node != nullptr ? node->ranks : failed->ranks;
    if (node != nullptr ? node->preempted : failed->preempted) {
      evict(turn, turn.lost[i], ranks);
    } else {
      tolerate(turn, turn.lost[i], ranks);
    }
  }
}

// Of a lost node it is told twice, by node and by process.
void PytorchJob::tolerate(Turn& turn, Index at, const RankSet& ranks) {
  RankSet fresh = (running() ? ranks.without(down_) : ranks).without(deleted_);
  for (const Tolerated& known : tolerated_) {
    fresh = fresh.without(known.ranks);
  }
  if (!fresh.empty()) {
    tolerated_.push_back({std::move(fresh), turn.batch.t_us + config_.toleration_us});
    add_step(turn, rule(RuleId::kNodeLost), state(), at)
        .rejected.push_back({"make its pods anew", "a name is free when its pod is gone"});
  }
}

void PytorchJob::tolerate_no_more(const RankSet& ranks) {
  for (Tolerated& known : tolerated_) {
    known.ranks = known.ranks.without(ranks);
  }
  std::erase_if(tolerated_, [](const Tolerated& known) { return known.ranks.empty(); });
}

// The operator makes pods anew under the names they had, which are free when the old ones are gone.
void PytorchJob::toleration_over(Turn& turn, Index at) {
  const RankSet ranks = tolerated_.front().ranks;
  if (!staying().overlaps(ranks)) {
    running() ? evict(turn, at, ranks) : evict_on_the_way(turn, at, ranks);
    return;
  }
  tolerate_no_more(ranks);
  deleted_.add(ranks);
  add_step(turn, rule(RuleId::kTerminating), state(), at)
      .rejected.push_back({"make its pods anew", "a name is free when its pod is gone"});
}

// The taint that would evict its pods goes. Containers that ended with the node have failed.
void PytorchJob::node_back(Turn& turn, Index at) {
  const NodeJoined& joined = joined_at(turn, at);
  RankSet evicted = down_;
  evicted.add(deleted_);
  if (evicted.overlaps(joined.ranks.shared_with(gone()))) {
    if (const RankSet ends = deleted_.shared_with(joined.ranks); !ends.empty()) {
      evict(turn, at, ends);
    }
    if (joined.alive && running() && state() < PodGroupState::kFailed) {
      ended_when_back(turn, at);
    }
    return;
  }
  const RankSet back = joined.ranks.shared_with(gone()).without(down_);
  if (back.empty()) {
    return;
  }
  regain(back);
  tolerate_no_more(back);
  add_step(turn, rule(RuleId::kReachedAgain), state(), at);
  if (!joined.alive) {
    pods_failed(turn, at, back, kEndedWithNode, ChargeCause::kNode);
  }
}

// Behind a cut they have trained on with the others, or waited for them in a collective.
void PytorchJob::ended_when_back(Turn& turn, Index at) {
  add_step(turn, rule(RuleId::kEndedWhenBack), PodGroupState::kRestarting, at);
  if (const RankSet others = everyone().without(down_); !others.empty()) {
    pods_failed(turn, at, others, 1, ChargeCause::kNode);
  }
}

void PytorchJob::evict(Turn& turn, Index at, const RankSet& ranks) {
  tolerate_no_more(ranks);
  deleted_ = deleted_.without(ranks);
  const RankSet pods = whole_pods(ranks, config_.nproc_per_node, workers_).without(down_);
  if (pods.empty()) {
    return;
  }
  if (config_.backoff_limit == 0U) {  // by whatever end (judge_failed_pod())
    past_the_limit(turn, at, ChargeCause::kNode);
    return;
  }
  down_.add(pods);
  forget(pods);
  Step& step = add_step(turn, rule(RuleId::kEvicted), PodGroupState::kRestarting, at);
  step.budgets.push_back(exempt(ChargeCause::kNode));
  if (sizes_) {
    recreate_job(turn, at);  // torchrun in the other pods sees who joins
  } else if (config_.elastic) {
    recreate_pods(turn, at, down_);
  } else {
    all_down(turn, at);
  }
}

void PytorchJob::pods_failed(Turn& turn, Index at, const RankSet& ranks, std::int32_t code,
                             ChargeCause cause) {
  if (config_.elastic && restart_in_pods(turn, at, ranks, cause)) {
    return;
  }
  const std::int32_t exit_code = config_.elastic ? kTorchrunFailed : code;
  const RankSet pods =
      whole_pods(ranks, config_.nproc_per_node, workers_).without(down_).without(gone());
  const bool starts = !running();
  cause_ = cause;
  end_pods(turn, at, ranks.empty() ? RankSet::range(0, 1) : ranks, pods, exit_code, cause);
  if (state() == PodGroupState::kFailed) {
    return;
  }
  down_.add(pods);
  // Pods that have not met the others yet are waited for; torchrun in the other pods sees who
  // joins.
  if (starts || config_.elastic) {
    down_ = everyone();
  }
  all_down(turn, at);
}

// False when torchrun in the pod has no restart left.
bool PytorchJob::restart_in_pods(Turn& turn, Index at, const RankSet& ranks, ChargeCause cause) {
  if (agents_.exhausted_by(ranks)) {
    for (const RankSet::Interval& interval : ranks.intervals()) {
      const std::size_t agent = interval.first / config_.nproc_per_node;
      if (agent < agents_.used.size()) {
        agents_.used[agent] = 0;  // another torchrun comes with the container
      }
    }
    add_step(turn, rule(RuleId::kElasticExit), state(), at);
    return false;
  }
  add_step(turn, rule(RuleId::kElasticRestart), PodGroupState::kRestarting, at)
      .budgets.push_back(agents_.charge(ranks, budget(Budget::kMaxRestarts), cause));
  broken_ = false;
  if (sizes_ && (!gone().empty() || workers_ < most_workers_)) {
    recreate_job(turn, at);
  } else {
    restart_processes(turn, at);
  }
  return true;
}

// A rank that waits for a pod that has ended, waits until its collective gives up.
void PytorchJob::all_down(Turn& turn, Index at) {
  RankSet ended = down_;
  ended.add(finished_);
  if (ended.size() < workers_) {
    return;
  }
  if (turn.batch.t_us < restart_us_) {
    ended_us_ = turn.batch.t_us;
    return;  // a kubelet has yet to start its container
  }
  ended_us_.reset();
  restart_us_ = 0;
  broken_ = false;
  evicted_ = {};
  Step& step = add_step(turn, rule(RuleId::kAllDown), PodGroupState::kRestarting, at);
  if (!unpaid_.empty()) {
    for (const Restart& restart : unpaid_) {
      restarts_.restarted(restart.pod);
    }
    step.budgets.push_back({.budget = budget(Budget::kBackoffLimit),
                            .cause = cause_,
                            .used = restarts_.total,
                            .limit = limit()});
    unpaid_.clear();
    limit_us_.reset();
  } else {
    step.budgets.push_back(exempt(cause_));
  }
  down_ = {};
  if (recreates_ || sizes_) {
    recreate_job(turn, at);
  } else {
    restart_processes(turn, at);
  }
}

}  // namespace aftershock::policies::kubeflow
