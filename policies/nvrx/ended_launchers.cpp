#include "policies/nvrx/launcher.h"

// Launchers that end apart from their nodes, wait in the exit barrier, or are reached again.
namespace aftershock::policies::nvrx {
namespace {

constexpr std::uint16_t index_of(RuleId id) { return static_cast<std::uint16_t>(id); }

// A launcher whose workers have all returned waits so long for the others (launcher.py:406).
constexpr DurationUs kExitBarrierUs = 300 * kSecondUs;

}  // namespace

// The others see the end of the one that has the store at their next look, and of no other.
void Launcher::launchers_end(Turn& turn) {
  const TimeUs now_us = turn.batch.t_us;
  for (const Index at : turn.agents) {
    add_step(turn, index_of(RuleId::kLauncherEnded), state(), at)
        .rejected.push_back({"restart", "that waits for workers of others that fail"});
    if (holds_store(agent_at(turn, at).ranks)) {
      const DurationUs every_us = config_.monitor_interval_us;
      const TimeUs since_us = running() ? running_since_us_ : now_us;
      store_missed_us_ = since_us + ((now_us - since_us) / every_us + 1) * every_us;
    }
  }
  if (!turn.agents.empty() && everyone().without(agentless()).empty()) {
    give_up(turn, turn.agents.back(), index_of(RuleId::kNoLaunchers));
  } else if (store_missed_us_ && *store_missed_us_ <= now_us) {
    give_up(turn, turn.timer.value_or(0), index_of(RuleId::kStoreLost));
  }
}

// For ranks without a launcher nobody ends the wait before its time.
void Launcher::wait_in_barrier(Turn& turn) {
  if (state() >= PodGroupState::kCompleted) {
    return;
  }
  if (turn.some_finished && everyone().without(finished_).without(agentless()).empty()) {
    barrier_until_us_ = turn.batch.t_us + kExitBarrierUs;
  } else if (barrier_until_us_ && *barrier_until_us_ <= turn.batch.t_us) {
    barrier_until_us_.reset();
    add_step(turn, index_of(RuleId::kSucceeded), PodGroupState::kCompleted, turn.timer.value_or(0))
        .commands.emplace_back(Complete{++last_command_, job_});
  }
}

// They do not come to the next round, which is never less than whole.
void Launcher::wait_in_vain(Turn& turn, Index at, const RankSet& through) {
  sizes_ = GroupSizes{.ranks_each = config_.nproc_per_node,
                      .least_nodes = workers_ / config_.nproc_per_node,
                      .absent = static_cast<std::uint32_t>(through.size()) / config_.nproc_per_node,
                      .join_us = config_.join_timeout_us};
  recreate_job(turn, at);
}

// A launcher that was cut off has run on, and a restart that comes now has another cause.
void Launcher::reach_again(Turn& turn) {
  for (const Index at : turn.back) {
    if (joined_at(turn, at).alive) {
      regain(joined_at(turn, at).ranks);
    }
  }
  if (!turn.back.empty() && gone().empty()) {
    lost_by_.reset();
  }
}

}  // namespace aftershock::policies::nvrx
