#include "policies/torchrun/agents.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "policies/parts/charge_causes.h"

namespace aftershock::policies::torchrun {
namespace {

constexpr PodGroupRules kGroupRules{
    .submitted = rule(RuleId::kStarted),
    .taken_up = rule(RuleId::kTakenUp),
    .running = rule(RuleId::kHealthy),
    .finished = rule(RuleId::kSucceeded),
    .stopped_by_user = rule(RuleId::kSignal),
    .hang_ignored = rule(RuleId::kHangNotWatched),
    .notice_ignored = rule(RuleId::kPreemptionIgnored),
    .not_current = rule(RuleId::kEventNotCurrent),
    .command_failed = rule(RuleId::kCommandFailed),
    .lost_on_the_way = rule(RuleId::kNodeLostJoining),
    .again = rule(RuleId::kWorkersStart),
    .runs_at_once = true,
};

// Workers get a SIGTERM, and 30 s later a SIGKILL (multiprocessing/api.py, PContext.close).
constexpr DurationUs kGraceUs = 30 * kSecondUs;
// A node whose last keep-alive is older than that is dropped: 5 s, three times.
constexpr DurationUs kKeepAliveUs = 15 * kSecondUs;
// An agent's look at its workers is answered at once.
constexpr DurationUs kNeverUs = std::int64_t{1} << 52U;  // 142 years, and exact in JSON

}  // namespace

Torchrun::Torchrun(const Config& config)
    : PodGroup(policy_info(config.profile), kGroupRules, {.grace_us = kGraceUs}),
      config_(config),
      restarts_{.ranks_each = config.nproc_per_node, .limit = config.max_restarts} {
  missed_after_us_ = config_.joins_are_seen ? kKeepAliveUs : 0;
  counts_left_ = true;
  if (config_.min_nodes) {
    sizes_asked_ = sizes_from(*config_.min_nodes);
    sizes_ = sizes_asked_;
  }
}

GroupSizes Torchrun::sizes_from(std::uint32_t least_nodes) const {
  return {.ranks_each = config_.nproc_per_node,
          .least_nodes = least_nodes,
          .join_us = config_.join_timeout_us,
          .last_call_us = config_.last_call_timeout_us,
          .last_call_rule = rule(RuleId::kLastCall),
          .complete_rule = rule(RuleId::kComplete)};
}

std::vector<BudgetState> Torchrun::budgets() const { return {{restarts_.total, restarts_.left()}}; }

std::unique_ptr<Policy> Torchrun::clone() const { return std::make_unique<Torchrun>(*this); }

nlohmann::json Torchrun::memory() const { return {{"restarts", restarts_.used}}; }

void Torchrun::remember(const nlohmann::json& memory) { recall(restarts_, memory, "restarts"); }

void Torchrun::look_at_processes(Watch& watch) const {
  watch.poll = PollWatch{.epoch = epoch_,
                         .anchor_us = launched_us_,
                         .period_us = config_.monitor_interval_us,
                         .answer_wait_us = 0,
                         .unanswered_limit_us = kNeverUs};
}

// An agent that waits for a node, or could do with more of them, sees it as it waits to join.
void Torchrun::look(Watch& watch) const {
  const bool smaller = sizes_ && workers_ < most_workers_;
  if (running() && config_.joins_are_seen && (!dropped_.empty() || smaller)) {
    watch.capacity = CapacityWatch{.anchor_us = launched_us_,
                                   .workers = smaller ? most_workers_ : workers_,
                                   .query_period_us = config_.monitor_interval_us,
                                   .request_period_us = kSecondUs};
  }
  const bool fails = starts_in_vain();
  const auto looks_us = running() || fails ? others_look_us_ : std::nullopt;
  const auto seen_us =
      fails && waiting_.empty() ? std::optional(failed_start_->seen_us) : std::nullopt;
  for (const auto& due_us :
       {barrier_until_us_, store_missed_us_, agent_missed_us_, looks_us, seen_us}) {
    if (due_us) {
      watch.wake_us = std::min(watch.wake_us.value_or(*due_us), *due_us);
    }
  }
}

void Torchrun::came_up() {
  dropped_ = {};
  waiting_ = {};
  others_look_us_.reset();
  // Agents that have stayed in their barrier while others met without them are there still.
  if (!sizes_ || sizes_->absent == 0) {
    through_ = {};
    barrier_until_us_.reset();
  }
  sizes_ = sizes_asked_;
}

void Torchrun::settle(Turn& turn) {
  agents_end(turn);
  if (state() >= PodGroupState::kCompleted) {
    return;
  }
  if (turn.missed && holds_store(turn.missed_ranks)) {
    give_up(turn, *turn.missed, rule(RuleId::kStoreLost));
    return;
  }
  back_from_cut(turn);
  if (state() >= PodGroupState::kCompleted) {
    return;
  }
  if (turn.start_failed) {
    start_failed(turn);
  }
  if (starts_in_vain()) {
    see_failed_start(turn);
    return;
  }
  if (!running()) {
    return;
  }
  reach_again(turn);
  if (!turn.lost.empty() && store_lost()) {
    give_up(turn, turn.lost.front(), rule(RuleId::kStoreLost));
    return;
  }
  if (!config_.joins_are_seen) {
    dropped_.add(gone());  // nobody hears of that, and nobody waits for them
  }
  if (!turn.lost.empty() && !gone().without(dropped_).empty()) {
    drop(turn, turn.lost.front());
  }
  note_through(turn);
  // Nobody sees how workers end that have no agent.
  RankSet ranks;
  for (const Index at : turn.failed) {
    ranks.add(failed_at(turn, at).ranks.without(agentless()));
  }
  if (!ranks.empty()) {
    workers_failed(turn, turn.failed.front(), ranks,
                   cause_of(failed_at(turn, turn.failed.front())));
  } else if (turn.capacity && waiting_.empty() && config_.joins_are_seen) {
    node_joined(turn);
  }
  if (!waiting_.empty() && running() && state() < PodGroupState::kCompleted) {
    meet_again(turn);
  }
}

// Of one that ends by itself the others learn by the store, if it had that, and else when its
// keep-alives have stayed away; of one in the exit barrier when it leaves.
void Torchrun::agents_end(Turn& turn) {
  const TimeUs now_us = turn.batch.t_us;
  for (const Index at : turn.agents) {
    add_step(turn, rule(RuleId::kAgentEnded), state(), at)
        .rejected.push_back({"restart", "that waits for a worker that fails"});
    agent_missed_us_ = now_us + kKeepAliveUs;
    if (config_.joins_are_seen && holds_store(agent_at(turn, at).ranks)) {
      store_missed_us_ = running() ? next_sight_us(now_us) : now_us + kSecondUs;
    }
  }
  if (!turn.agents.empty() && everyone().without(agentless()).empty()) {
    give_up(turn, turn.agents.back(), rule(RuleId::kNoAgents));
    return;
  }
  const Index at = turn.timer.value_or(0);
  if (barrier_until_us_ && *barrier_until_us_ <= now_us) {
    barrier_over(turn);
  } else if (store_missed_us_ && *store_missed_us_ <= now_us) {
    give_up(turn, at, rule(RuleId::kStoreLost));
  } else if (agent_missed_us_ && *agent_missed_us_ <= now_us) {
    agent_missed_us_.reset();
    if (running() && !gone().without(dropped_).empty()) {
      drop(turn, at);
    }
  }
}

void Torchrun::drop(Turn& turn, Index at) {
  Step& step = add_step(turn, rule(RuleId::kNodeDropped), state(), at);
  step.rejected.push_back({"restart", "that waits for a node that joins, or a worker that fails"});
  possible_ = dropped_.empty() && !turn.capacity ? 0 : possible_;
  dropped_ = gone();
}

// An agent all of whose workers have returned waits in the exit barrier, and restarts nothing more.
void Torchrun::note_through(const Turn& turn) {
  if (!turn.some_finished) {
    return;
  }
  through_.add(through(config_.nproc_per_node));
  if (!through_.empty() && !barrier_until_us_) {
    // Where the store is gone, agents cannot wait for each other.
    barrier_until_us_ = turn.batch.t_us + (store_lost() ? 0 : config_.exit_barrier_timeout_us);
  }
}

std::uint32_t Torchrun::nodes_through() const {
  return static_cast<std::uint32_t>(through_.without(agentless()).size()) / config_.nproc_per_node;
}

// The first that leaves closes the rendezvous, and takes the store along where it has that. The
// job has succeeded where no workers are left to wait for but those without an agent.
void Torchrun::barrier_over(Turn& turn) {
  const Index at = turn.timer.value_or(0);
  barrier_until_us_.reset();
  closed_ = true;
  if (starting()) {
    return;  // those have met already
  }
  if (!running()) {
    give_up(turn, at, rule(RuleId::kClosed));
  } else if (everyone().without(finished_).without(agentless()).empty()) {
    add_step(turn, rule(RuleId::kExitBarrier), PodGroupState::kCompleted, at)
        .commands.emplace_back(Complete{++last_command_, job_});
  } else {
    add_step(turn, rule(RuleId::kExitBarrier), state(), at);
    if (config_.joins_are_seen && holds_store(through_)) {
      store_missed_us_ = next_sight_us(turn.batch.t_us);
    }
  }
}

// Agents whose store is gone meet no more.
bool Torchrun::holds_store(const RankSet& ranks) const {
  const RankSet first = RankSet::range(0, std::min(config_.nproc_per_node, workers_));
  return config_.store_on_first_node && ranks.overlaps(first);
}

void Torchrun::lost_on_the_way(Turn& turn) {
  if (!store_lost()) {
    PodGroup::lost_on_the_way(turn);
    return;
  }
  turn.start_failed.reset();  // it says the same
  give_up(turn, turn.lost.front(), rule(RuleId::kStoreLost));
}

// An agent that was cut off has run on; one that ended with its node does not come again.
void Torchrun::reach_again(Turn& turn) {
  for (const Index at : turn.back) {
    if (joined_at(turn, at).alive) {
      regain(joined_at(turn, at).ranks);
      dropped_ = dropped_.without(joined_at(turn, at).ranks);
      add_step(turn, rule(RuleId::kReachedAgain), state(), at);
    }
  }
}

// The store's state has dropped such an agent, and those that meet are not waiting for it: it sees
// first that its own workers have failed. One that was not dropped sees the others wait before it
// looks at its workers.
void Torchrun::back_from_cut(Turn& turn) {
  for (const Index at : turn.left) {
    const WorkersFailed& failed = failed_at(turn, at);
    const RankSet ranks = failed.ranks.shared_with(dropped_);
    if (!ranks.empty() && !charged(turn, at, ranks, cause_of(failed))) {
      return;
    }
  }
}

void Torchrun::node_joined(Turn& turn) {
  const std::uint32_t nodes = workers_ / config_.nproc_per_node;
  const bool grows = sizes_ && possible_ / config_.nproc_per_node > nodes + nodes_through();
  // One that waits is enough, however many are missing.
  const std::uint32_t left = workers_ - static_cast<std::uint32_t>(dropped_.size());
  const bool replaces = !dropped_.empty() && possible_ >= left + config_.nproc_per_node;
  if (!grows && !replaces) {
    return;
  }
  Step& step =
      add_step(turn, rule(RuleId::kNodeJoined), PodGroupState::kRestarting, *turn.capacity);
  step.budgets.push_back(restarts_.exempt(0, ChargeCause::kNode));
  draw_join();
  restart(turn, *turn.capacity);
}

// A group that may be of several sizes meets anew where it is not whole. Where agents are missing
// that of one size waits for as many others.
void Torchrun::restart(Turn& turn, Index at) {
  if (closed_) {
    give_up(turn, at, rule(RuleId::kClosed));
    return;
  }
  if (!agentless().empty() || !through_.empty()) {
    if (!sizes_) {
      sizes_ = sizes_from(workers_ / config_.nproc_per_node);
    }
    sizes_->absent = nodes_through();
    recreate_job(turn, at);
    return;
  }
  const bool whole = gone().empty() && unmissed().empty() && workers_ == most_workers_;
  if (sizes_ && !whole) {
    recreate_job(turn, at);
  } else {
    restart_processes(turn, at);
  }
}

}  // namespace aftershock::policies::torchrun
