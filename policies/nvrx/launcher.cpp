#include "policies/nvrx/launcher.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "policies/device_codes/catalogue.h"
#include "policies/parts/charge_causes.h"

namespace aftershock::policies::nvrx {
namespace {

constexpr std::uint16_t rule(RuleId id) { return static_cast<std::uint16_t>(id); }

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
};

constexpr DurationUs kWrapperLooksUs = kSecondUs;
// The store's host stays so long when it exits, for others to read why.
constexpr DurationUs kStoreGraceUs = 3 * kSecondUs;
// A launcher that has gone with its node is missed by then, if nobody has told of the node.
constexpr DurationUs kMissedUs = 15 * kSecondUs;
// A launcher's look at its processes is answered at once.
constexpr DurationUs kNeverUs = std::int64_t{1} << 52U;  // 142 years, and exact in JSON

/// Faults that ask for more than a restart of the application.
bool is_unhealthy(const DeviceFault& fault) {
  const DeviceCode* code = find_device_code(fault.code);
  if (code != nullptr && code->xid) {
    return code->xid->action > GpuAction::kRestartApp;
  }
  return fault.severity.value_or(Severity::kMajor) >= Severity::kMajor;
}

}  // namespace

Launcher::Launcher(const Config& config)
    : PodGroup(policy_info(), kGroupRules, {.grace_us = config.workers_stop_us, .force = true}),
      config_(config) {
  missed_after_us_ = kMissedUs;
}

std::optional<std::int64_t> Launcher::limit_of(Budget budget) const {
  switch (budget) {
    case Budget::kMaxRestarts:
      return config_.max_restarts;
    case Budget::kNoProgressCycles:
      return config_.max_no_progress_cycles == 0
                 ? std::nullopt
                 : std::optional(std::int64_t{config_.max_no_progress_cycles} - 1);
    case Budget::kMaxIterations:
      return config_.in_process && config_.in_process->max_iterations
                 ? std::optional(std::int64_t{*config_.in_process->max_iterations} - 1)
                 : std::nullopt;
  }
  return std::nullopt;
}

BudgetMove Launcher::move_of(Budget budget, std::int64_t used, ChargeCause cause) const {
  const auto limit = limit_of(budget);
  return {.budget = static_cast<std::uint16_t>(budget),
          .cause = cause,
          .used = used,
          .limit = limit,
          .exhausted = limit && used > *limit};
}

std::vector<BudgetState> Launcher::budgets() const {
  return {{restarts_, limit_of(Budget::kMaxRestarts)},
          {no_progress_, limit_of(Budget::kNoProgressCycles)},
          {iteration_, limit_of(Budget::kMaxIterations)}};
}

std::unique_ptr<Policy> Launcher::clone() const { return std::make_unique<Launcher>(*this); }

nlohmann::json Launcher::memory() const {
  return {{"restarts", restarts_},
          {"no_progress", no_progress_},
          {"iteration", iteration_},
          {"progressed", progressed_},
          {"saved", saved_}};
}

void Launcher::remember(const nlohmann::json& memory) {
  const auto number = [&](const char* name) -> std::int64_t {
    const bool there =
        memory.is_object() && memory.contains(name) && memory[name].is_number_unsigned();
    return there ? memory[name].get<std::int64_t>() : 0;
  };
  restarts_ = number("restarts");
  no_progress_ = number("no_progress");
  iteration_ = number("iteration");
  progressed_ = memory.is_object() && memory.value("progressed", nlohmann::json()) == true;
  saved_ = memory.is_object() && memory.value("saved", nlohmann::json()) == true;
}

void Launcher::came_up() {
  kill_us_.reset();
  check_us_.reset();
  lost_by_.reset();
  excluded_ = false;
  barrier_until_us_.reset();
  if (!unhealthy_.empty()) {
    check_us_ = running_since_us_ + config_.health_check_us;
  }
}

void Launcher::look_at_processes(Watch& watch) const {
  watch.poll =
      PollWatch{.epoch = epoch_,
                .anchor_us = running_since_us_,
                .period_us = config_.in_process ? kWrapperLooksUs : config_.monitor_interval_us,
                .answer_wait_us = 0,
                .unanswered_limit_us = kNeverUs};
}

void Launcher::look(Watch& watch) const {
  if (!running()) {
    return;
  }
  if (config_.in_process) {
    watch.hang = HangWatch{.anchor_us = running_since_us_,
                           .period_us = kWrapperLooksUs,
                           .after_us = config_.in_process->soft_timeout_us};
  } else if (config_.rank_heartbeat_timeout_us) {
    watch.hang = HangWatch{.anchor_us = running_since_us_,
                           .period_us = config_.workload_check_us,
                           .after_us = *config_.rank_heartbeat_timeout_us};
  }
  if (config_.checkpoint_file && !progressed_ && config_.max_no_progress_cycles > 0) {
    watch.progress = ProgressWatch{.epoch = epoch_};
  }
  watch.wake_us = store_goes_us_ ? store_goes_us_ : check_us_;
  for (const auto& due_us : {store_missed_us_, barrier_until_us_}) {
    if (due_us) {
      watch.wake_us = std::min(watch.wake_us.value_or(*due_us), *due_us);
    }
  }
}

void Launcher::settle(Turn& turn) {
  progressed_ = progressed_ || turn.progress;
  saved_ = saved_ || turn.progress;
  launchers_end(turn);
  wait_in_barrier(turn);
  if (state() >= PodGroupState::kCompleted) {
    return;
  }
  note_health(turn);
  reach_again(turn);
  if (turn.start_failed) {
    start_failed(turn);
  } else if (turn.stopped && kill_us_) {
    if (*kill_us_ <= turn.batch.t_us) {
      add_step(turn, rule(RuleId::kHardTimeout), state(), *turn.stopped);
      restart_all(turn, *turn.stopped, ChargeCause::kHang, everyone());
    }
  } else if (!running()) {
    return;
  } else if (store_goes_us_ && *store_goes_us_ <= turn.batch.t_us) {
    fail(turn, turn.timer.value_or(0), rule(RuleId::kExhausted), "exhausted(max_restarts)");
  } else if (!turn.lost.empty() || !turn.failed.empty()) {
    node_lost(turn);
    if (!turn.failed.empty() && state() == PodGroupState::kRunning) {
      workers_failed(turn);
    }
  } else if (turn.hang && (config_.in_process || config_.rank_heartbeat_timeout_us)) {
    hangs(turn);
  } else if (turn.timer && check_us_ && *check_us_ <= turn.batch.t_us) {
    check_us_.reset();
    add_step(turn, rule(RuleId::kHealthFailed), state(), *turn.timer);
    restart_all(turn, *turn.timer, ChargeCause::kDevice, unhealthy_);
  }
}

// Devices are looked at every so often, and whenever ranks have to meet again.
void Launcher::note_health(Turn& turn) {
  for (std::size_t i = 0; i < turn.batch.events.size(); ++i) {
    const auto* fault = std::get_if<DeviceFault>(&turn.batch.events[i]);
    if (fault == nullptr || fault->ranks.empty()) {
      continue;
    }
    if (!is_unhealthy(*fault)) {
      add_step(turn, rule(RuleId::kHealthPassed), state(), static_cast<Index>(i));
      continue;
    }
    unhealthy_.add(fault->ranks);
    if (std::ranges::find(unhealthy_nodes_, fault->node) == unhealthy_nodes_.end()) {
      unhealthy_nodes_.push_back(fault->node);
    }
    const DurationUs since_us = turn.batch.t_us - running_since_us_;
    check_us_ =
        running_since_us_ + (since_us / config_.health_check_us + 1) * config_.health_check_us;
  }
}

bool Launcher::holds_store(const RankSet& ranks) const {
  const RankSet first = RankSet::range(0, std::min(config_.nproc_per_node, workers_));
  return config_.store_on_rank_0 && ranks.overlaps(first);
}

bool Launcher::store_lost() const { return holds_store(gone()); }

RankSet Launcher::on_nodes_of(const RankSet& ranks) const {
  RankSet all;
  for (std::uint32_t first = 0; first < workers_; first += config_.nproc_per_node) {
    const RankSet node = RankSet::range(first, std::min(first + config_.nproc_per_node, workers_));
    if (node.overlaps(ranks)) {
      all.add(node);
    }
  }
  return all;
}

void Launcher::lost_on_the_way(Turn& turn) {
  if (store_lost()) {
    turn.start_failed.reset();
    give_up(turn, turn.lost.front(), rule(RuleId::kStoreLost));
    return;
  }
  if (starting()) {
    lost_by_ = lost_by_.value_or(ChargeCause::kNode);  // processes of others cannot meet, and end
    return;
  }
  PodGroup::lost_on_the_way(turn);
}

void Launcher::start_failed(Turn& turn) {
  const Index at = *turn.start_failed;
  if (turn.unplaced) {
    give_up(turn, at, rule(excluded_ ? RuleId::kTooManyUnhealthy : RuleId::kTimeout));
    return;
  }
  const ChargeCause other = unhealthy_.empty() ? ChargeCause::kApplication : ChargeCause::kDevice;
  restart_all(turn, at, lost_by_.value_or(other), everyone());
}

// Nobody looks at nodes: all but the store's host are missed when the workers of others fail.
void Launcher::node_lost(Turn& turn) {
  for (const Index at : turn.lost) {
    if (store_lost() || gone() == everyone()) {
      give_up(turn, at, rule(store_lost() ? RuleId::kStoreLost : RuleId::kNodeLost));
      return;
    }
    const auto* node = std::get_if<NodeUnreachable>(&turn.batch.events[at]);
    const auto* ranks = std::get_if<WorkersFailed>(&turn.batch.events[at]);
    const bool preempted =
        (node != nullptr && node->preempted) || (ranks != nullptr && ranks->preempted);
    lost_by_ = lost_by_.value_or(preempted ? ChargeCause::kPreemption : ChargeCause::kNode);
    add_step(turn, rule(RuleId::kNodeLost), state(), at)
        .rejected.push_back({"restart", "that waits for workers of others that fail"});
  }
}

// Only a rank that raised is still there to call the function again.
void Launcher::workers_failed(Turn& turn) {
  const Index at = turn.failed.front();
  const ChargeCause cause = lost_by_.value_or(cause_of(failed_at(turn, at)));
  RankSet ranks;
  for (const Index one : turn.failed) {
    ranks.add(failed_at(turn, one).ranks.without(agentless()));
  }
  if (ranks.empty()) {
    return;  // nobody sees how workers end that have no launcher
  }
  if (holds_store(unmissed())) {  // launchers read it before they count anything
    give_up(turn, at, rule(RuleId::kStoreLost));
    return;
  }
  const bool alive = std::ranges::all_of(turn.failed, [&](Index one) {
    return failed_at(turn, one).kind == WorkerFailure::kException;
  });
  if (config_.in_process && alive && unhealthy_.empty()) {
    if (restart_within(turn, at, RuleId::kException, config_.in_process->barrier_timeout_us,
                       cause)) {
      return;
    }
  } else if (config_.in_process) {
    add_step(turn, rule(RuleId::kTerminated), state(), at);
  }
  restart_all(turn, at, cause, ranks);
}

void Launcher::hangs(Turn& turn) {
  const Index at = *std::exchange(turn.hang, std::nullopt);
  if (!config_.in_process) {
    add_step(turn, rule(RuleId::kHeartbeat), state(), at);
  } else if (restart_within(
                 turn, at, RuleId::kSoftTimeout,
                 config_.in_process->hard_timeout_us - config_.in_process->soft_timeout_us,
                 ChargeCause::kHang)) {
    return;
  }
  restart_all(turn, at, ChargeCause::kHang, everyone());
}

bool Launcher::restart_within(Turn& turn, Index at, RuleId why, DurationUs grace_us,
                              ChargeCause cause) {
  if (!agentless().empty() || !exited_.empty()) {
    return false;  // the others do not come
  }
  const BudgetMove move = move_of(Budget::kMaxIterations, iteration_ + 1, cause);
  if (move.exhausted) {
    add_step(turn, rule(RuleId::kMaxIterations), state(), at);
    return false;
  }
  ++iteration_;
  kill_us_ = turn.batch.t_us + grace_us;
  ending_ = {.grace_us = grace_us, .force = false};
  add_step(turn, rule(why), PodGroupState::kRestarting, at).budgets.push_back(move);
  restart_in_process(turn, at);
  return true;
}

// False: too many cycles in a row have come to nothing, and the job has ended.
bool Launcher::take_stock(Turn& turn, Index at, ChargeCause cause) {
  const bool progressed = std::exchange(progressed_, false);
  if (config_.max_no_progress_cycles == 0 || !config_.checkpoint_file || !saved_) {
    return true;
  }
  no_progress_ = progressed ? 0 : no_progress_ + 1;
  BudgetMove move = move_of(Budget::kNoProgressCycles, no_progress_, cause);
  if (move.exhausted) {
    fail(turn, at, rule(RuleId::kNoProgressStop), "exhausted(max_no_progress_cycles)")
        .budgets.push_back(move);
    return false;
  }
  move.exempt = progressed;
  add_step(turn, rule(progressed ? RuleId::kProgress : RuleId::kNoProgress), state(), at)
      .budgets.push_back(move);
  return true;
}

// A launcher that has no restart left exits by itself, and the store with it where it has it.
void Launcher::exhausted(Turn& turn, Index at, ChargeCause cause, const RankSet& failed) {
  std::vector<BudgetMove> moves;
  if (exited_.empty()) {
    moves.push_back(move_of(Budget::kMaxRestarts, ++restarts_, cause));
  }
  exited_.add(on_nodes_of(failed));
  if (everyone().without(exited_).without(gone()).empty()) {
    fail(turn, at, rule(RuleId::kExhausted), "exhausted(max_restarts)").budgets = std::move(moves);
    return;
  }
  if (holds_store(exited_) && !store_goes_us_) {
    store_goes_us_ = turn.batch.t_us + kStoreGraceUs;
  }
  add_step(turn, rule(RuleId::kExitsAlone), state(), at).budgets = std::move(moves);
}

void Launcher::restart_all(Turn& turn, Index at, ChargeCause cause, const RankSet& failed) {
  if (exited_.empty() && !take_stock(turn, at, cause)) {
    return;
  }
  if (restarts_ >= std::int64_t{config_.max_restarts}) {
    exhausted(turn, at, cause, failed);
    return;
  }
  iteration_ = 0;
  kill_us_.reset();
  check_us_.reset();
  const BudgetMove move = move_of(Budget::kMaxRestarts, ++restarts_, cause);
  excluded_ = !unhealthy_nodes_.empty();
  lost_by_.reset();
  const RankSet unhealthy = std::exchange(unhealthy_, {});
  if (holds_store(unhealthy)) {
    give_up(turn, at, rule(RuleId::kStoreLost)).budgets.push_back(move);
    return;
  }
  for (const NodeId node : std::exchange(unhealthy_nodes_, {})) {
    add_step(turn, rule(RuleId::kExcluded), state(), at)
        .commands.emplace_back(IsolateNode{.id = ++last_command_, .job = job_, .node = node});
  }
  ending_ = {.grace_us = config_.workers_stop_us, .force = true};
  add_step(turn, rule(RuleId::kRestart), PodGroupState::kRestarting, at).budgets.push_back(move);
  if (const RankSet done = through(config_.nproc_per_node); !done.empty()) {
    wait_in_vain(turn, at, done);
  } else if (unhealthy.empty()) {
    restart_processes(turn, at);
  } else {
    recreate_pods(turn, at, unhealthy);
  }
}

}  // namespace aftershock::policies::nvrx
