#include "sim/control/ordering.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

namespace aftershock::sim::control {

namespace {

using policies::CommandId;
using policies::NodeId;

constexpr std::string_view kScheduleCount = "MA_SCHEDULE_CNT";
// In the place of a machine that is at fault: no machine has this number.
constexpr std::uint32_t kIsolated = 0xFFFFFFFF;

bool is_unplaced(const policies::AttemptStartFailed& failed) {
  return failed.stage == policies::StartStage::kClusterCheck ||
         failed.stage == policies::StartStage::kPlacement;
}

/// One command against how things stand.
struct Look {
  Ordering& ordering;
  const Held& held;
  const Ground& ground;
  std::int64_t now_us;
  std::vector<Breach> breaches{};

  void found(std::string_view id, std::string what) { breaches.push_back({id, std::move(what)}); }

  void operator()(const policies::SelfHeal& command);
  void operator()(const policies::IsolateNode& command);
  void operator()(const policies::StopWorkers& command);
  void operator()(const policies::StartAttempt& command);
  void operator()(const policies::RecreatePods& command);
  void operator()(const policies::RestartProcesses& command);
  void operator()(const policies::Fail& command);
  template <class Other>
  void operator()(const Other&) {}

  void pay(std::string_view action);
  void schedule(const std::vector<policies::PodEnv>& env);
  void look_for_faulty();
  void look_at_pods(const policies::RankSet& anew);
  void look_at_counts(const std::vector<policies::PodEnv>& env);
};

void Look::operator()(const policies::SelfHeal& command) {
  if (ground.pods != PodStand::kKept && ground.pods != PodStand::kNone) {
    found("M1",
          fmt::format("node {}: healing is asked for before all processes are gone", command.node));
  }
  if (ordering.windows.over.contains(ChipKey{command.node, command.accelerator, command.code})) {
    found("M8", fmt::format("node {}: {} is healed in place at its third report within 24 h",
                            command.node, command.code));
  }
  ordering.tried.push_back(
      {.command = command.id, .node = command.node, .code = command.code, .healed = {}});
}

// It stays known that something was wrong with it, however soon it is well again.
void Look::operator()(const policies::IsolateNode& command) {
  for (auto& [node, machine] : ordering.faulty) {
    machine = node == command.node ? kIsolated : machine;
  }
}

void Look::operator()(const policies::StopWorkers& command) {
  // A rescheduling that overtakes a healing does not make it known.
  std::erase_if(ordering.tried, [](const ChipTried& chip) { return chip.healed.has_value(); });
  ordering.teardown.reset();
  // IPR and HR end processes alone: nothing is removed that would have to be paid for here.
  const bool some = command.keep_containers;
  if (some && command.leaving.empty()) {
    return;
  }
  // A user's stop restarts nothing and is free.
  if (!may_act(ordering.charges) && !ordering.news.user_stop) {
    found("M6", fmt::format("{} pods are ended and no budget was charged", some ? "some" : "all"));
  }
  if (ground.pods == PodStand::kLive || ground.pods == PodStand::kKept) {
    ordering.teardown = Teardown{.begun_us = now_us, .pods = ground.leaving(command)};
  }
}

void Look::operator()(const policies::StartAttempt& command) {
  if (ground.pods != PodStand::kNone) {
    found("M5", fmt::format("attempt {} is asked for before all pods are gone", command.epoch));
    return;
  }
  look_for_faulty();
  pay("the job is made anew");
  schedule(command.env);
  ordering.pods_anew = false;
}

void Look::operator()(const policies::RecreatePods& command) {
  if (ground.pods != PodStand::kKept) {
    found("M3", fmt::format("attempt {} needs the containers of all other pods, and they are not "
                            "there without processes",
                            command.epoch));
    return;
  }
  if (command.ranks.empty()) {
    found("M4", fmt::format("attempt {} asks the scheduler and makes no pod anew", command.epoch));
    return;
  }
  look_at_pods(command.ranks);
  look_for_faulty();
  pay("pods are made anew");
  schedule(command.env);
  ordering.unfinished = command.ranks;
  ordering.pods_anew = true;
}

void Look::operator()(const policies::RestartProcesses& command) {
  if (ground.pods == PodStand::kLive && ordering.pods_anew) {
    found("M3", fmt::format("attempt {} starts processes apart from those of the new pods",
                            command.epoch));
    return;
  }
  if (ground.pods == PodStand::kLive || ground.pods == PodStand::kStopping) {
    found("M1", fmt::format("attempt {} begins before all processes are gone", command.epoch));
    return;
  }
  if (ground.pods != PodStand::kKept) {
    found("M4", fmt::format("attempt {} is to begin in containers that are gone", command.epoch));
    return;
  }
  for (const ChipTried& chip : ordering.tried) {
    if (chip.healed != true) {
      found("M1", fmt::format("node {}: processes start and a chip {}", chip.node,
                              chip.healed ? "did not heal" : "is still being healed"));
    }
  }
  look_at_counts(command.env);
  // An IPR spends nothing (modelarts.md 1); any other restart in place is charged.
  if (ordering.tried.empty()) {
    pay("processes are started again without a chip that was healed");
  }
  spend(ordering.charges);
  ordering.tried.clear();
  ordering.pods_anew = false;
  ordering.exited = false;
}

void Look::operator()(const policies::Fail& command) {
  if (std::string wrong = check_ending(ordering, held, command.reason); !wrong.empty()) {
    found("M9", std::move(wrong));
  }
}

void Look::pay(std::string_view action) {
  if (!may_act(ordering.charges)) {
    found("M6", fmt::format("{} and no budget was charged", action));
  }
}

void Look::schedule(const std::vector<policies::PodEnv>& env) {
  // With a second fault that joins, pods that are not there yet are asked for once more.
  const bool paid = ordering.charges.paid && held.terms.second_fault_joins;
  spend(ordering.charges);
  ordering.charges.paid = paid;
  for (const ChipTried& chip : ordering.tried) {
    if (!chip.healed && !ground.node(chip.node).isolated) {
      found("M1",
            fmt::format("node {}: pods are scheduled and a chip is still being healed", chip.node));
    }
  }
  forget_what_passed(ordering.windows, held.terms);
  ordering.tried.clear();
  ordering.exited = false;
  ordering.scheduled.clear();
  for (const policies::PodEnv& pods : env) {
    const auto count = std::ranges::find(pods.variables, kScheduleCount, &policies::Variable::name);
    if (count != pods.variables.end()) {
      ordering.scheduled.emplace_back(pods.ranks, count->value);
    }
  }
}

void Look::look_for_faulty() {
  for (const auto& [node, machine] : ordering.faulty) {
    const NodeStand stand = ground.node(node);
    // Another machine in the node's place, or the same one repaired, is not the one at fault.
    if (!stand.isolated && stand.machine == machine && !held.terms.faulty_nodes_may_stay) {
      found("M2", fmt::format("pods are scheduled and node {}, which is at fault, is not isolated",
                              node));
    }
  }
  ordering.faulty.clear();
}

void Look::look_at_pods(const policies::RankSet& anew) {
  for (const PodPlace& place : ground.places()) {
    const NodeStand stand = ground.node(place.node);
    const bool faulty = std::ranges::any_of(
        ordering.faulty, [&](const auto& entry) { return entry.first == place.node; });
    const bool made_anew = place.ranks.overlaps(anew);
    // A second fault that joins makes one rescheduling: the restart begins again with all of its
    // pods.
    const bool joined =
        held.terms.second_fault_joins && place.ranks.without(ordering.unfinished).empty();
    if (made_anew && stand.usable && !faulty && !joined) {
      found("M3",
            fmt::format("node {}: a pod is made anew and nothing is wrong with it", place.node));
      return;
    }
    if (made_anew && place.there) {
      found("M7",
            fmt::format("node {}: a pod is made anew and was not removed before", place.node));
      return;
    }
    if (!made_anew && !place.there) {
      found("M3", fmt::format("node {}: the pod is gone and is not made anew", place.node));
      return;
    }
    if (!made_anew && stand.isolated) {
      found("M3", fmt::format("node {} is isolated and its pod is not made anew", place.node));
      return;
    }
  }
}

void Look::look_at_counts(const std::vector<policies::PodEnv>& env) {
  for (const policies::PodEnv& pods : env) {
    const auto count = std::ranges::find(pods.variables, kScheduleCount, &policies::Variable::name);
    for (const auto& [ranks, before] : ordering.scheduled) {
      if (count != pods.variables.end() && count->value != before && ranks.overlaps(pods.ranks)) {
        found("M4", fmt::format("{} goes from {} to {} and nothing was scheduled", kScheduleCount,
                                before, count->value));
        return;
      }
    }
  }
}

/// Events, as far as the order depends on them.
struct TakeIn {
  Ordering& ordering;
  const Held& held;
  const policies::Batch& batch;
  const Ground& ground;
  std::uint16_t at = 0;

  void operator()(const policies::ControllerStarted&) {
    ordering.charges.used.clear();
    // Paid for under the controller before, which cannot say how far it had come.
    ordering.charges.forgiven = true;
    // Held against it is only what this controller has heard itself.
    ordering.windows.remembered_since_us = batch.t_us;
    ordering.tried.clear();
    ordering.faulty.clear();
    ordering.exited = false;
  }
  void operator()(const policies::AttemptRunning&) { ordering.unfinished = {}; }
  void operator()(const policies::WorkersFailed&) { saw_exit(); }
  void operator()(const policies::AttemptStartFailed& failed) {
    if (is_unplaced(failed)) {
      ordering.news.unplaced = true;
    } else {
      saw_exit();
    }
  }
  void operator()(const policies::CommandResult& result) {
    if (result.error != policies::CommandError::kNone) {
      std::erase_if(ordering.tried,
                    [&](const auto& chip) { return chip.command == result.command; });
    }
  }
  void operator()(const policies::HangSuspected&) { ordering.news.hang = true; }
  void operator()(const policies::StopRequested&) { ordering.news.user_stop = true; }
  void operator()(const policies::NodeUnreachable& lost) {
    // A node on which none of the job's ranks run asks for nothing.
    if (!lost.ranks.empty()) {
      at_fault(lost.node);
    }
  }
  void operator()(const policies::DeviceFault& fault) {
    const ChipMeaning meaning = meaning_of(held.terms, fault);
    if (fault.ranks.empty() || meaning == ChipMeaning::kNothing) {
      return;
    }
    ordering.news.hardware = true;
    if (meaning == ChipMeaning::kIsolates) {
      at_fault(fault.node);
    } else if (count_report(ordering.windows, held.terms, fault, batch.t_us, at) &&
               !is_user_code(fault.code) && !held.terms.user_faults_extended) {
      at_fault(fault.node);
    }
  }
  void operator()(const policies::SelfHealResult& result) {
    const auto chip = std::ranges::find(ordering.tried, result.command, &ChipTried::command);
    if (chip == ordering.tried.end()) {
      return;
    }
    chip->healed = result.healed;
    const bool may_stay = held.terms.unhealed_user_may_stay &&
                          (is_user_code(chip->code) || held.terms.user_faults_extended);
    if (!result.healed && !may_stay) {
      at_fault(chip->node);
    }
  }
  template <class Other>
  void operator()(const Other&) {}

  void saw_exit() {
    ordering.news.exit = true;
    ordering.exited = true;
  }
  void at_fault(NodeId node) {
    ordering.news.hardware = true;
    ordering.faulty.emplace_back(node, ground.node(node).machine);
  }
};

}  // namespace

const std::array<OrderingRule, 9>& ordering_rules() {
  static constexpr std::array<OrderingRule, 9> kRules{{
      {"M1",
       "Healing begins when every process of the job is gone; processes start in place when every "
       "chip has healed, and pods are scheduled when no chip is being healed"},
      {"M2", "A node known to be at fault is isolated before pods are scheduled"},
      {"M3",
       "Where pods are made anew, all others keep containers and nodes, and start together with "
       "them"},
      {"M4", "In-place recovery and hang restart ask no scheduler, and MA_SCHEDULE_CNT stays"},
      {"M5", "A job is made anew when all its pods are gone, the healthy ones, too"},
      {"M6",
       "A budget is looked at before an action and charged as it begins, whatever comes of it"},
      {"M7",
       "Removing pods takes their processes and their volumes, unless volumes go on by themselves"},
      {"M8", "The 24 h of the third fault count from report to report"},
      {"M9", "A job is given up for one of the known reasons, and for the one that it was"},
  }};
  return kRules;
}

void take_in(Ordering& ordering, const Held& held, const policies::Batch& batch,
             const Ground& ground) {
  ordering.news = {};
  ordering.exhausted.clear();
  ordering.windows.third.clear();
  ordering.news.only_stopped =
      !batch.events.empty() && std::ranges::all_of(batch.events, [](const policies::Event& event) {
        return std::holds_alternative<policies::WorkersStopped>(event);
      });
  TakeIn events{ordering, held, batch, ground};
  for (const policies::Event& event : batch.events) {
    std::visit(events, event);
    ++events.at;
  }
}

std::vector<Breach> check(Ordering& ordering, const Held& held, const policies::Step& step) {
  std::vector<Breach> breaches;
  for (const policies::BudgetMove& move : step.budgets) {
    std::string wrong =
        take_in_move(ordering.charges, held.info, held.terms, move, ordering.news.only_stopped);
    if (!wrong.empty()) {
      breaches.push_back({"M6", std::move(wrong)});
    }
    if (move.exhausted && move.budget < held.info.budgets.size()) {
      ordering.exhausted.push_back(move);
    }
  }
  const std::string_view rule =
      step.rule < held.info.rules.size() ? held.info.rules[step.rule].id : std::string_view();
  // Rules of the third report have such names, by which the policy says what it took the event for.
  if (rule.ends_with("_3_in_24h")) {
    for (const std::uint16_t at : step.saw) {
      if (!took_as_third(ordering.windows, held.terms, at)) {
        breaches.push_back({"M8", fmt::format("{}: it is not the third report within 24 h", rule)});
      }
    }
  }
  return breaches;
}

std::vector<Breach> check(Ordering& ordering, const Held& held, const policies::Command& command,
                          const Ground& ground, std::int64_t now_us) {
  Look look{ordering, held, ground, now_us};
  std::visit(look, command);
  return std::move(look.breaches);
}

std::vector<Breach> check(Ordering& ordering, const Held& held,
                          const std::vector<policies::BudgetState>& budgets) {
  std::vector<Breach> breaches;
  if (std::string wrong = take_in_states(ordering.charges, held.info, budgets); !wrong.empty()) {
    breaches.push_back({"M6", std::move(wrong)});
  }
  return breaches;
}

}  // namespace aftershock::sim::control
