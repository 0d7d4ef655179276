#include <algorithm>
#include <utility>

#include "policies/parts/pod_group.h"
#include "policies/parts/turns.h"

// The moves of a controller of pods, step by step.
namespace aftershock::policies {

Step& PodGroup::add_step(Turn& turn, std::uint16_t rule, std::uint16_t to, Index at) {
  return append_step(turn.decision, rule, state_, to, at);
}

void PodGroup::restart_processes(Turn& turn, Index at) {
  if (plan_ == Plan::kJob && (pods_ == Pods::kRemoving || pods_ == Pods::kNone)) {
    release(turn, at);  // there are none that are kept
    return;
  }
  if (!tolerates() && (!gone_.empty() || !unmissed_.empty())) {
    recreate_pods(turn, at, unmissed_);
    return;
  }
  plan_ = Plan::kProcesses;
  advance(turn, at);
}

void PodGroup::restart_in_process(Turn& turn, Index at) {
  plan_ = Plan::kInProcess;
  advance(turn, at);
}

void PodGroup::recreate_pods(Turn& turn, Index at, const RankSet& ranks) {
  plan_ = Plan::kPods;
  anew_.add(ranks);
  anew_.add(gone_);
  advance(turn, at);
}

void PodGroup::recreate_job(Turn& turn, Index at) {
  plan_ = Plan::kJob;
  advance(turn, at);
}

Step& PodGroup::fail(Turn& turn, Index at, std::uint16_t rule, std::string reason,
                     std::uint16_t to) {
  Step& step = add_step(turn, rule, to, at);
  step.commands.emplace_back(Fail{++last_command_, job_, std::move(reason)});
  return step;
}

Step& PodGroup::give_up(Turn& turn, Index at, std::uint16_t rule, std::uint16_t to) {
  std::string reason = "gave_up(";
  reason += info_->rules[rule].id;
  return fail(turn, at, rule, reason + ')', to);
}

void PodGroup::lost_on_the_way(Turn& turn) {
  const Index at = turn.lost.front();
  turn.start_failed.reset();  // it says the same
  add_step(turn, rules_.lost_on_the_way, state_, at);
  replace_lost(turn, at);
}

void PodGroup::replace_lost(Turn& turn, Index at) {
  if (plan_ == Plan::kJob && pods_ != Pods::kLive) {
    release(turn, at);  // all of its pods go anyway
    return;
  }
  // Agents whose group may be of several sizes meet without the one that is lost.
  if (sizes_) {
    recreate_job(turn, at);
  } else {
    recreate_pods(turn, at, gone_);
  }
}

void PodGroup::release(Turn& turn, Index at) {
  if (held_ && may_begin() && !is_over()) {
    held_ = false;
    advance(turn, at);
  }
}

// Whether the next attempt has to wait until those that begin it have met.
bool PodGroup::meets(const Turn& turn) {
  if (meeting_us_ > 0 && !meet_at_us_) {
    meet_at_us_ = turn.batch.t_us + meeting_us_;
  }
  return meet_at_us_.has_value();
}

void PodGroup::begin_attempt() {
  ++epoch_;
  pods_ = Pods::kLive;
  held_ = false;
  gone_ = {};
  agentless_ = {};
  unmissed_ = {};
}

// Goes on with the plan as far as the pods allow. A missing part is asked for with a command of the
// last step, and its result comes back here.
void PodGroup::advance(Turn& turn, Index at) {
  turn.stopped.reset();
  if (pods_ == Pods::kStopping || pods_ == Pods::kRemoving || plan_ == Plan::kNone) {
    return;
  }
  if (plan_ == Plan::kJob) {
    if (pods_ != Pods::kNone) {
      if (pods_ == Pods::kKept) {
        add_step(turn, rules_.lost_on_the_way, state_, at);
      }
      stop(turn, false);
    } else if (!may_begin()) {
      held_ = true;
    } else if (meets(turn)) {
      return;
    } else if (sizes_) {
      forming_since_us_ = turn.batch.t_us;
    } else {
      start(turn, at, rules_.again, workers_);
    }
    return;
  }
  const bool some_left = plan_ == Plan::kPods && !anew_.without(leaving_).empty();
  if (pods_ == Pods::kLive || some_left) {
    if (pods_ == Pods::kKept) {
      add_step(turn, rules_.lost_on_the_way, state_, at);
    }
    stop(turn, true);
    return;
  }
  if (!may_begin() && plan_ != Plan::kInProcess) {
    held_ = true;
    return;
  }
  if (meets(turn)) {
    return;
  }
  const Plan plan = plan_;
  const RankSet anew = anew_;
  begin_attempt();
  const bool runs = plan == Plan::kProcesses && rules_.runs_at_once;
  Step& step = add_step(turn, rules_.again, runs ? PodGroupState::kRunning : state_, at);
  if (plan == Plan::kPods) {
    step.commands.emplace_back(RecreatePods{.id = ++last_command_,
                                            .job = job_,
                                            .epoch = epoch_,
                                            .ranks = anew,
                                            .placement_wait_us = placement_wait_us()});
  } else {
    step.commands.emplace_back(RestartProcesses{.id = ++last_command_,
                                                .job = job_,
                                                .epoch = epoch_,
                                                .in_process = plan == Plan::kInProcess});
  }
}

void PodGroup::stop(Turn& turn, bool keep) {
  running_ = false;
  pods_ = keep ? Pods::kStopping : Pods::kRemoving;
  StopWorkers command{.id = ++last_command_,
                      .job = job_,
                      .epoch = epoch_,
                      .grace_us = ending_.grace_us,
                      .force = ending_.force,
                      .keep_containers = keep};
  if (keep && plan_ == Plan::kPods) {
    leaving_ = anew_;
    command.leaving = leaving_;
  }
  turn.decision.steps.back().commands.emplace_back(std::move(command));
}

void PodGroup::start(Turn& turn, Index at, std::uint16_t rule, std::uint32_t workers) {
  forming_since_us_.reset();
  last_call_us_.reset();
  workers_ = workers;
  anew_ = {};
  leaving_ = {};
  begin_attempt();
  add_step(turn, rule, state_, at)
      .commands.emplace_back(StartAttempt{.id = ++last_command_,
                                          .job = job_,
                                          .epoch = epoch_,
                                          .workers = workers,
                                          .placement_wait_us = placement_wait_us()});
}

// Nodes join until there are as many as there may be. With fewer, from the least on, it waits for a
// last call; below the least for no longer than the limit of the join.
void PodGroup::form(Turn& turn, Index at) {
  const std::uint32_t most = most_workers_ / sizes_->ranks_each;
  const std::uint32_t there = std::min(most, possible_ / sizes_->ranks_each);
  const std::uint32_t nodes = there - std::min(there, sizes_->absent);
  const TimeUs now_us = turn.batch.t_us;
  const bool called = last_call_us_ && *last_call_us_ <= now_us;
  if (nodes >= most || (called && nodes >= sizes_->least_nodes)) {
    start(turn, at, sizes_->complete_rule,
          nodes >= most ? most_workers_ : nodes * sizes_->ranks_each);
  } else if (nodes < sizes_->least_nodes) {
    last_call_us_.reset();
    if (now_us >= *forming_since_us_ + sizes_->join_us) {
      turn.start_failed = at;
      turn.unplaced = true;
      forming_since_us_.reset();
      settle(turn);
    }
  } else if (!last_call_us_) {
    last_call_us_ = now_us + sizes_->last_call_us;
    add_step(turn, sizes_->last_call_rule, state_, at);
  }
}

}  // namespace aftershock::policies
