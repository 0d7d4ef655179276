#include <algorithm>
#include <variant>

#include "policies/torchrun/agents.h"

// Failures as agents see them: each looks at its own workers, and at the rendezvous for the others.
namespace aftershock::policies::torchrun {
namespace {

/// The first look after `now_us`, of those at `anchor_us` and every `period_us` on either side of
/// it.
constexpr TimeUs next_tick_us(TimeUs anchor_us, DurationUs period_us, TimeUs now_us) {
  const DurationUs since_us = now_us - anchor_us;
  const DurationUs ticks =
      since_us >= 0 ? since_us / period_us : -((period_us - 1 - since_us) / period_us);
  return anchor_us + (ticks + 1) * period_us;
}

}  // namespace

// Each agent looks for itself. The first whose worker has failed counts that, and waits for the
// others in the next round; whose own have failed by the time of their next look count, too.
void Torchrun::workers_failed(Turn& turn, Index at, const RankSet& ranks, ChargeCause cause) {
  const RankSet lost = config_.joins_are_seen ? RankSet() : dropped_;
  const RankSet counted = ranks.without(waiting_).without(lost);
  if (counted.empty()) {
    return;
  }
  if (charged(turn, at, counted, cause)) {
    turn.decision.steps.back().saw = turn.failed;
    if (store_lost()) {  // agents of a static rendezvous read it for a new round only
      give_up(turn, at, rule(RuleId::kStoreLost));
      return;
    }
    waiting_.add(of_agents(counted));
    if (!others_look_us_ && config_.joins_are_seen) {
      others_look_us_ = next_sight_us(turn.batch.t_us);
    }
  }
}

bool Torchrun::charged(Turn& turn, Index at, const RankSet& ranks, ChargeCause cause) {
  const BudgetMove move = restarts_.charge(ranks, 0, cause);
  if (move.exhausted) {
    fail(turn, at, rule(RuleId::kExhausted), "exhausted(max_restarts)").budgets.push_back(move);
    return false;
  }
  add_step(turn, rule(config_.joins_are_seen ? RuleId::kRestart : RuleId::kRestartAlone),
           PodGroupState::kRestarting, at)
      .budgets.push_back(move);
  return true;
}

RankSet Torchrun::of_agents(const RankSet& ranks) const {
  RankSet all;
  const std::uint32_t each = config_.nproc_per_node;
  for (std::uint32_t first = 0; first < workers_; first += each) {
    const RankSet agent = RankSet::range(first, std::min(first + each, workers_));
    if (agent.overlaps(ranks)) {
      all.add(agent);
    }
  }
  return all;
}

// The others look at the rendezvous when they look at their workers, and get what they have seen in
// the last second again (c10d_rendezvous_backend.py and dynamic_rendezvous.py, cache_duration).
TimeUs Torchrun::next_sight_us(TimeUs now_us) const {
  const DurationUs period_us = config_.monitor_interval_us;
  const DurationUs every_us =
      (std::max(kSecondUs, period_us) + period_us - 1) / period_us * period_us;
  return next_tick_us(launched_us_, every_us, now_us);
}

// They restart once all of them are in the next round, or have seen that others are. A static
// rendezvous shows nobody.
void Torchrun::meet_again(Turn& turn) {
  RankSet others = everyone().without(waiting_).without(gone()).without(through_);
  others = others.without(unmissed());  // they decide nothing more
  others = config_.joins_are_seen ? others : others.without(dropped_);
  const Index at = turn.failed.empty() ? turn.timer.value_or(0) : turn.failed.front();
  if (!others.empty()) {
    if (!others_look_us_ || turn.batch.t_us < *others_look_us_) {
      return;
    }
    add_step(turn, rule(RuleId::kNodeJoined), PodGroupState::kRestarting, at)
        .budgets.push_back(restarts_.exempt(0, ChargeCause::kNode));
  }
  if (turn.decision.steps.empty()) {
    others_look_us_.reset();
    return;  // the last of the others has just gone with its node, which shows when it is missed
  }
  if (!config_.joins_are_seen) {
    add_step(turn, rule(RuleId::kAllAlone), PodGroupState::kRestarting, at);
  }
  waiting_ = {};
  others_look_us_.reset();
  draw_restart(turn, at);
  restart(turn, at);
}

void Torchrun::start_failed(Turn& turn) {
  const Index at = *turn.start_failed;
  if (turn.unplaced) {
    give_up(turn, at, rule(RuleId::kTimeout));
    return;
  }
  // A process that ends in the moment of a look is there for it still.
  failed_start_ = {
      .epoch = epoch_,
      .ranks = std::get<AttemptStartFailed>(turn.batch.events[at]).ranks,
      .seen_us = next_tick_us(launched_us_, config_.monitor_interval_us, turn.batch.t_us)};
  waiting_ = {};
  others_look_us_.reset();
}

// An agent looks at its workers from the moment on in which it has started them, whether or not
// they have found each other by then.
void Torchrun::see_failed_start(Turn& turn) {
  const Index at = turn.start_failed.value_or(turn.timer.value_or(0));
  if (waiting_.empty()) {
    if (turn.batch.t_us < failed_start_->seen_us ||
        !charged(turn, at, failed_start_->ranks, ChargeCause::kApplication)) {
      return;
    }
    if (!config_.joins_are_seen) {
      failed_start_.reset();
      draw_restart(turn, at);
      restart(turn, at);
      return;
    }
    waiting_ = failed_start_->ranks.empty() ? everyone() : of_agents(failed_start_->ranks);
    others_look_us_ = next_sight_us(turn.batch.t_us);
  }
  meet_again(turn);
}

}  // namespace aftershock::policies::torchrun
