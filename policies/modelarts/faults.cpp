#include <algorithm>
#include <utility>
#include <vector>

#include "policies/modelarts/controller.h"

// Hardware faults: which of them wins, what is healed, what is isolated (rows 3 to 8 of
// modelarts.md 1.3).
namespace aftershock::policies::modelarts {

// One batch is one moment: hardware wins over exits and hangs (row 11, A25), isolation over healing
// (A24).
void ModelArts::settle(Turn& turn) {
  if (is_terminal(state_)) {
    return;
  }
  const bool hardware = !turn.faulty.empty() || !turn.chips.empty() || turn.third_user;
  if (hardware && !config_.job_retry_num) {
    const Index at = !turn.faulty.empty()  ? turn.faulty.front().at
                     : !turn.chips.empty() ? turn.chips.front().at
                                           : *turn.third_user;
    fail(turn, at, RuleId::kAutoRestartOff);
    return;
  }
  if (hardware && (turn.exit || state_ == State::kExitHeld)) {
    const Index at = turn.exit.value_or(!turn.faulty.empty()  ? turn.faulty.front().at
                                        : !turn.chips.empty() ? turn.chips.front().at
                                                              : *turn.third_user);
    memory_.held_until_us = 0;
    add_step(turn, RuleId::kExitHardware, state_, at);
  }
  if (!turn.faulty.empty()) {
    heal_later(turn, turn.faulty.front().at);
    handle_faulty(turn);
  } else if (turn.third_user && (plan_ != Plan::kJob || pods_ == Pods::kLive)) {
    const bool as_unconditional = config_.readings.user_as_unconditional;
    std::vector<Index> also;  // their pods go with all others
    for (const Chip& chip : turn.chips) {
      also.push_back(chip.at);
    }
    heal_later(turn, *turn.third_user);
    for (const Faulty& faulty : turn.faulty) {
      isolate(turn, faulty);
    }
    Step& step = add_step(turn, RuleId::kThirdUserFault, state_, *turn.third_user);
    step.saw.insert(step.saw.end(), also.begin(), also.end());
    if (as_unconditional) {
      plain_exit(turn, *turn.third_user);
    } else {
      memory_.hang_runs = config_.readings.hangs_never_reset ? memory_.hang_runs : 0;
      reschedule_job(turn, *turn.third_user, RuleId::kCount, ChargeCause::kDevice);
    }
  } else if (!turn.chips.empty()) {
    heal_in_place(turn);
  } else if (turn.pods_failed) {
    pods_failed(turn, *turn.pods_failed);
  } else if (turn.exit && turn.hold_over) {
    plain_exit(turn, *turn.exit);
  } else if (turn.exit) {
    hold_exit(turn, *turn.exit);
  }
  if (turn.hang && !is_terminal(state_)) {
    handle_hang(turn, *turn.hang, hardware);
  }
  // Last, so that nothing is scheduled before what is at fault is isolated (rule 2 of section 4).
  if (turn.stopped && !is_terminal(state_)) {
    advance(turn, *turn.stopped);
  }
}

void ModelArts::isolate(Turn& turn, const Faulty& faulty) {
  Step& step = add_step(turn, faulty.rule, state_, faulty.at);
  const auto known = std::ranges::find(memory_.isolated, faulty.node, &IsolatedNode::node);
  if (known != memory_.isolated.end()) {
    memory_.isolated.erase(known);
  }
  memory_.isolated.push_back({faulty.node, turn.batch.t_us});
  step.commands.emplace_back(IsolateNode{.id = ++last_command_,
                                         .job = job_,
                                         .node = faulty.node,
                                         .until_released = config_.readings.released_after_48h});
}

void ModelArts::handle_faulty(Turn& turn) {
  const Index at = turn.faulty.front().at;
  RankSet ranks;
  for (const Faulty& faulty : turn.faulty) {
    ranks.add(faulty.ranks);
  }
  const bool own = plan_ != Plan::kJob && plan_ != Plan::kPods;
  const bool pods = config_.pod_retry_num > memory_.pod_retries;
  const bool gone = own && config_.pod_retry_num > 0 && !pods;
  if (gone && config_.readings.no_pod_retry_keeps_node) {
    reschedule_job(turn, at, RuleId::kPodRetriesGone, ChargeCause::kNode);
    return;
  }
  for (const Faulty& faulty : turn.faulty) {
    isolate(turn, faulty);
  }
  if (!config_.readings.hangs_never_reset) {
    memory_.hang_runs = 0;
  }
  if (plan_ == Plan::kJob && pods_ != Pods::kLive) {
    // The job is being rescheduled anyway: now it is so with isolation, at no further cost.
    add_step(turn, RuleId::kLateNodeFault, state_, at);
  } else if (plan_ == Plan::kPods) {
    // Pods that found no nodes have nothing left that could be joined.
    if (config_.readings.second_fault_joins && !turn.unplaced) {
      new_pods_.add(ranks);
      join_pods(turn, at);
    } else {
      pods_failed(turn, at);
    }
  } else if (pods) {
    reschedule_pods(turn, at, ranks, static_cast<std::uint32_t>(turn.faulty.size()));
  } else {
    reschedule_job(turn, at, RuleId::kIsolatedReschedule, ChargeCause::kNode);
  }
}

void ModelArts::join_pods(Turn& turn, Index at) {
  add_step(turn, RuleId::kPodJoined, State::kPrStopSurvivors, at);
  if (pods_ == Pods::kLive) {
    stop(turn);
  }
}

void ModelArts::not_healed(Turn& turn, Index at, const Chip& chip) {
  const bool known = std::ranges::find(turn.faulty, chip.node, &Faulty::node) != turn.faulty.end();
  if (!known && !(config_.readings.unhealed_user_kept && chip.by_user)) {
    turn.faulty.push_back(
        {.at = at, .rule = RuleId::kNotHealed, .node = chip.node, .ranks = chip.ranks});
  }
}

// Rescheduling wins over healing (A24), and schedules nothing before the chip is well or isolated.
// One that did not heal is at fault as well, whatever the others of its recovery would do.
void ModelArts::heal_later(Turn& turn, Index at) {
  healing_.insert(healing_.end(), turn.chips.begin(), turn.chips.end());
  turn.chips.clear();
  for (const Chip& chip : healing_) {
    if (chip.healed == false) {
      not_healed(turn, at, chip);
    }
  }
  std::erase_if(healing_, [&](const Chip& chip) {
    return chip.healed.has_value() ||
           std::ranges::find(turn.faulty, chip.node, &Faulty::node) != turn.faulty.end();
  });
}

// Whether the rescheduling has to wait for chips. Those that nobody has tried to heal are tried
// now, when no process of the job is left.
bool ModelArts::heals_first(Turn& turn, Index at) {
  const auto untried = [](const Chip& chip) { return chip.command == 0; };
  if (std::ranges::any_of(healing_, untried)) {
    heal(add_step(turn, RuleId::kHealBeforeScheduling, state_, at));
  }
  return !healing_.empty();
}

void ModelArts::heal(Step& step) {
  for (Chip& chip : healing_) {
    if (chip.command == 0) {
      chip.command = ++last_command_;
      step.commands.emplace_back(
          SelfHeal{chip.command, job_, chip.node, chip.accelerator, chip.code});
    }
  }
}

// The outcome for a chip that rescheduling waits for, or will.
void ModelArts::healed_before_scheduling(Turn& turn, Index at, const Chip& chip) {
  if (chip.healed == false) {
    not_healed(turn, at, chip);
  }
  if (turn.faulty.empty()) {
    add_step(turn, RuleId::kHealedBeforeScheduling, state_, at);
  }
  if (pods_ == Pods::kKept || pods_ == Pods::kNone) {
    turn.stopped = at;
  }
}

void ModelArts::heal_in_place(Turn& turn) {
  const Index at = turn.chips.front().at;
  if (plan_ == Plan::kPods) {
    heal_later(turn, at);
    pods_failed(turn, at);  // another pod fails before the job runs (A16)
    return;
  }
  if (plan_ == Plan::kJob && pods_ != Pods::kLive) {
    heal_later(turn, at);
    add_step(turn, RuleId::kInPlaceJoined, state_, at);
    if (pods_ == Pods::kNone) {
      turn.stopped = at;
    }
    return;
  }
  const bool joins = plan_ == Plan::kHeal && pods_ != Pods::kLive;
  if (!joins) {
    healing_.clear();
  }
  healing_.insert(healing_.end(), turn.chips.begin(), turn.chips.end());
  if (!config_.readings.hangs_never_reset) {
    memory_.hang_runs = 0;
  }
  if (joins) {
    Step& step = add_step(turn, RuleId::kInPlaceJoined, state_, at);
    if (state_ == State::kIprSelfHeal) {
      heal(step);
    }
    return;
  }
  plan_ = Plan::kHeal;
  Step& step = add_step(turn, RuleId::kInPlace, State::kIprStopProcs, at);
  step.saw.clear();
  for (const Chip& chip : turn.chips) {
    step.saw.push_back(chip.at);
  }
  step.budgets.push_back(job_retry_move(ChargeCause::kDevice, true));
  if (pods_ != Pods::kStopping) {
    advance(turn, at);
  }
}

void ModelArts::all_healed_or_not(Turn& turn, Index at) {
  if (std::ranges::any_of(healing_, [](const Chip& chip) { return !chip.healed; })) {
    return;  // A23: one recovery, and all of it must heal
  }
  std::vector<Chip> sick;
  std::ranges::copy_if(healing_, std::back_inserter(sick),
                       [](const Chip& chip) { return !*chip.healed; });
  healing_.clear();
  if (sick.empty()) {
    restart_processes(turn, at, RuleId::kHealed, State::kIprRelaunch);
    return;
  }
  const bool all_by_user = std::ranges::all_of(sick, &Chip::by_user);
  if (config_.readings.unhealed_user_kept && all_by_user) {
    add_step(turn, RuleId::kUserNotHealed, state_, at);
    reschedule_job(turn, at, RuleId::kCount, ChargeCause::kDevice);
    return;
  }
  plan_ = Plan::kNone;
  for (const Chip& chip : sick) {
    not_healed(turn, at, chip);
  }
}

void ModelArts::release(Turn& turn, Index at) {
  if (!config_.readings.released_after_48h) {
    return;
  }
  while (!memory_.isolated.empty() &&
         memory_.isolated.front().since_us + kIsolationUs <= turn.batch.t_us) {
    add_step(turn, RuleId::kReleased, state_, at)
        .commands.emplace_back(ReleaseNode{++last_command_, job_, memory_.isolated.front().node});
    memory_.isolated.erase(memory_.isolated.begin());
  }
}

}  // namespace aftershock::policies::modelarts
