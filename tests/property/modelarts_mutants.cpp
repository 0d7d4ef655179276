#include "tests/property/modelarts_mutants.h"

#include <algorithm>
#include <iterator>
#include <string>

// Mutants of the ModelArts policy: a new one is a row.
namespace aftershock::sim {

namespace {

using namespace policies;

constexpr CommandId kOwn = 1'000'000;  // ids that the policy gives to no command
constexpr DurationUs kMinuteUs = 60 * kSecondUs;

/// Gives up for another reason.
Mutation gives_up_for(std::string reason) {
  return changes<Fail>([reason](Fail& fail) { fail.reason = reason; });
}

/// Heals in the moment in which it stops the processes.
void heals_at_once(const Batch& batch, Decision& decision, Memo& memo) {
  for (const Event& event : batch.events) {
    const auto* fault = std::get_if<policies::DeviceFault>(&event);
    if (fault != nullptr && first<StopWorkers>(decision) != nullptr && memo.times++ == 0) {
      decision.steps.back().commands.emplace_back(
          SelfHeal{kOwn, 0, fault->node, fault->accelerator, fault->code});
    }
  }
}

/// Takes what did not heal for healed.
void hears_healed(Batch& batch, Memo&) {
  for (Event& event : batch.events) {
    if (auto* result = std::get_if<SelfHealResult>(&event)) {
      result->healed = true;
    }
  }
}

/// Starts the processes again before the first of the chips is done.
void relaunches_at_once(const Batch&, Decision& decision, Memo&) {
  if (first<SelfHeal>(decision) != nullptr) {
    decision.steps.back().commands.emplace_back(RestartProcesses{kOwn, 0, 2, {}});
  }
}

/// Isolates what is at fault when the pods have been asked for.
void isolates_late(const Batch&, Decision& decision, Memo& memo) {
  for (Step& step : decision.steps) {
    std::erase_if(step.commands, [&](const Command& command) {
      const bool isolates = std::holds_alternative<IsolateNode>(command);
      if (isolates) {
        memo.commands.push_back(command);
      }
      return isolates;
    });
  }
  if (first<RecreatePods>(decision) != nullptr) {
    std::ranges::move(memo.commands, std::back_inserter(decision.steps.back().commands));
    memo.commands.clear();
  }
}

/// Starts the survivors by themselves.
void starts_survivors_apart(const Batch&, Decision& decision, Memo&) {
  if (const auto* asked = first<RecreatePods>(decision)) {
    const Epoch epoch = asked->epoch + 1;
    decision.steps.back().commands.emplace_back(RestartProcesses{kOwn, 0, epoch, {}});
  }
}

void counts_a_schedule(RestartProcesses& asked) {
  for (PodEnv& pods : asked.env) {
    for (Variable& variable : pods.variables) {
      variable.value = variable.name == "MA_SCHEDULE_CNT" ? "2" : variable.value;
    }
  }
}

/// Asks the scheduler for no pod, where all containers are there.
void schedules_nothing(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (Command& command : step.commands) {
      if (const auto* asked = std::get_if<RestartProcesses>(&command)) {
        command = RecreatePods{
            .id = asked->id, .job = 0, .epoch = asked->epoch, .ranks = {}, .env = asked->env};
      }
    }
  }
}

/// Asks for the new pods together with the end of the old ones.
void starts_with_the_stop(const Batch&, Decision& decision, Memo&) {
  if (const auto* stop = first<StopWorkers>(decision); stop != nullptr && !stop->keep_containers) {
    const Epoch epoch = stop->epoch + 1;
    decision.steps.back().commands.emplace_back(
        StartAttempt{.id = kOwn, .job = 0, .epoch = epoch, .workers = 32});
  }
}

void charges_nothing(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    step.budgets.clear();
  }
}

/// Charges when the workers have stopped, not when it stops them.
void charges_late(const Batch&, Decision& decision, Memo& memo) {
  if (first<StopWorkers>(decision) != nullptr) {
    for (Step& step : decision.steps) {
      std::ranges::move(step.budgets, std::back_inserter(memo.moves));
      step.budgets.clear();
    }
  } else if (!decision.steps.empty() && !memo.moves.empty()) {
    decision.steps.front().budgets = std::exchange(memo.moves, {});
  }
}

/// A charge that came to nothing costs nothing: it says so with the next charge.
void refunds(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (BudgetMove& move : step.budgets) {
      move.used = move.budget == 0 ? std::min<std::int64_t>(move.used, 1) : move.used;
    }
  }
}

/// Says what the right limit is, and goes by another.
void says_limit_1(const Batch&, Decision& decision, Memo&) {
  for (Step& step : decision.steps) {
    for (BudgetMove& move : step.budgets) {
      move.limit = move.budget == 0 ? 1 : move.limit;
    }
  }
}

/// Counts the first fault from the time on at which it was recovered from.
void counts_from_recovery(Batch& batch, Memo& memo) {
  const bool fault = std::ranges::any_of(batch.events, [](const Event& event) {
    return std::holds_alternative<policies::DeviceFault>(event);
  });
  if (fault && memo.times++ == 0) {
    batch.t_us += 3 * kMinuteUs;
  }
}

/// Counts each fault a day and a bit after the one before.
void counts_days(Batch& batch, Memo& memo) {
  for (const Event& event : batch.events) {
    if (std::holds_alternative<policies::DeviceFault>(event)) {
      batch.t_us += 13 * 60 * kMinuteUs * memo.times++;
    }
  }
}

const std::string kFaults = "/faults=";
const std::string kConfig = "/jobs/0/policy/config/";

// The third of them comes 24 h and a minute after the first: to be healed once more.
std::vector<std::string> a_day_and_a_minute() {
  const std::string ecc =
      R"("kind": "accelerator_fault", "code": "hbm_multi_bit_ecc", "target": "accelerator:npu-1/3")";
  return {"/jobs/0/steps=9000", kFaults + R"([{"id": "one", )" + ecc + R"(, "at": "1000s"},
    {"id": "two", )" + ecc + R"(, "at": "20000s"}, {"id": "three", )" +
                                    ecc + R"(, "at": "87460s"}])"};
}

std::vector<MutantRow> in_place_rows() {
  return {
      {"heals before the processes are gone", "M1", "in_place", {}, {}, says(heals_at_once)},
      {"relaunches with a chip that did not heal", "M1", "not_healed", {}, {}, hears(hears_healed)},
      {"relaunches before a chip has healed", "M1", "in_place", {}, {}, says(relaunches_at_once)},
  };
}

std::vector<MutantRow> isolation_rows() {
  return {
      {"isolates no node that is lost", "M2", "pod_rescheduling", {}, {}, drops<IsolateNode>()},
      {"isolates no node of a critical chip", "M2", "critical_chip", {}, {}, drops<IsolateNode>()},
      {"isolates no node whose chip did not heal",
       "M2",
       "not_healed",
       {},
       {},
       drops<IsolateNode>()},
      {"hears that a chip is well", "M2", "heal_race_node_not_healed", {}, {}, hears(hears_healed)},
      {"isolates no node of a third fault", "M2", "third_fault", {}, {}, drops<IsolateNode>()},
      {"isolates no node of a job that is made anew",
       "M2",
       "isolated_job_rescheduling",
       {},
       {},
       drops<IsolateNode>()},
      {"isolates when the pods are asked for", "M2", "critical_chip", {}, {}, says(isolates_late)},
  };
}

std::vector<MutantRow> pod_rows() {
  return {
      {"makes all pods anew",
       "M3",
       "pod_rescheduling",
       {},
       {},
       changes<RecreatePods>([](RecreatePods& asked) { asked.ranks.add(0, 32); })},
      {"removes the survivors' containers",
       "M3",
       "pod_rescheduling",
       {},
       {},
       changes<StopWorkers>([](StopWorkers& asked) { asked.keep_containers = false; })},
      {"removes all pods and makes one anew",
       "M3",
       "pod_rescheduling",
       {},
       {},
       changes<StopWorkers>([](StopWorkers& asked) { asked.leaving = RankSet::range(0, 32); })},
      {"starts the survivors apart",
       "M3",
       "pod_rescheduling",
       {},
       {},
       says(starts_survivors_apart)},
  };
}

std::vector<MutantRow> scheduling_rows() {
  return {
      {"counts a hang restart as scheduled",
       "M4",
       "hang_restart",
       {},
       {},
       changes<RestartProcesses>(counts_a_schedule)},
      {"counts in-place recovery as scheduled",
       "M4",
       "in_place",
       {},
       {},
       changes<RestartProcesses>(counts_a_schedule)},
      {"asks the scheduler in a hang restart",
       "M4",
       "hang_restart",
       {},
       {},
       says(schedules_nothing)},
      {"asks the scheduler in in-place recovery",
       "M4",
       "in_place",
       {},
       {},
       says(schedules_nothing)},
      {"starts new pods before the old ones are gone",
       "M5",
       "unconditional_rescheduling",
       {},
       {},
       says(starts_with_the_stop)},
      {"keeps the containers of a job made anew",
       "M5",
       "unconditional_rescheduling",
       {},
       {},
       changes<StopWorkers>([](StopWorkers& asked) { asked.keep_containers = true; })},
  };
}

std::vector<MutantRow> budget_rows() {
  return {
      {"charges no unconditional rescheduling",
       "M6",
       "unconditional_rescheduling",
       {},
       {},
       says(charges_nothing)},
      {"charges no pod rescheduling", "M6", "pod_rescheduling", {}, {}, says(charges_nothing)},
      {"charges no hang restart", "M6", "hang_restart", {}, {}, says(charges_nothing)},
      {"charges a rescheduling late",
       "M6",
       "unconditional_rescheduling",
       {},
       {},
       says(charges_late)},
      {"charges a pod rescheduling late", "M6", "pod_rescheduling", {}, {}, says(charges_late)},
      {"charges a hang restart late", "M6", "hang_restart", {}, {}, says(charges_late)},
      {"refunds",
       "M6",
       "unconditional_limit",
       {kConfig + "fault-tolerance~1job-retry-num=\"8\""},
       {},
       says(refunds)},
      {"goes by another limit",
       "M6",
       "retries_exhausted",
       {},
       {kConfig + "fault-tolerance~1job-retry-num=\"8\""},
       says(says_limit_1)},
  };
}

std::vector<MutantRow> time_rows() {
  return {
      {"waits for volumes that nobody need wait for",
       "M7",
       "unmount_in_the_background",
       {},
       {},
       changes<StopWorkers>([](StopWorkers& asked) { asked.unmount_async_after_us.reset(); })},
      {"does not wait for volumes",
       "M7",
       "unconditional_rescheduling",
       {},
       {},
       changes<StopWorkers>([](StopWorkers& asked) { asked.unmount_async_after_us = kSecondUs; })},
      {"removes no pod that it makes anew",
       "M7",
       "pod_rescheduling",
       {},
       {},
       changes<StopWorkers>([](StopWorkers& asked) { asked.leaving = {}; })},
      {"does not wait for the volumes of a pod",
       "M7",
       "pod_rescheduling",
       {},
       {},
       changes<StopWorkers>([](StopWorkers& asked) { asked.unmount_async_after_us = kSecondUs; })},
      {"counts the day from a recovery",
       "M8",
       "in_place",
       a_day_and_a_minute(),
       {},
       hears(counts_from_recovery)},
      {"counts days between faults", "M8", "third_fault", {}, {}, hears(counts_days)},
  };
}

std::vector<MutantRow> ending_rows() {
  const std::string limits = "gave_up(modelarts.unconditional.limit)";
  const std::string disabled = "gave_up(modelarts.exit.unconditional_disabled)";
  const std::string off = "gave_up(modelarts.auto_restart.off)";
  const std::string exhausted = "exhausted(job-retry-num)";
  return {
      {"calls used-up retries too many exits",
       "M9",
       "retries_exhausted",
       {},
       {},
       gives_up_for(limits)},
      {"calls used-up retries a switch that is off",
       "M9",
       "retries_exhausted",
       {},
       {},
       gives_up_for(disabled)},
      {"calls too many exits used-up retries",
       "M9",
       "unconditional_limit",
       {},
       {},
       gives_up_for(exhausted)},
      {"calls a long wait too many exits", "M9", "no_spare", {}, {}, gives_up_for(limits)},
      {"calls an exit automatic restart that is off",
       "M9",
       "exit_without_switch",
       {},
       {},
       gives_up_for(off)},
      {"calls automatic restart that is off a long wait",
       "M9",
       "switched_off",
       {},
       {},
       gives_up_for("gave_up(modelarts.queue.no_resource_timeout)")},
      {"calls it a user's stop",
       "M9",
       "exit_without_switch",
       {},
       {},
       gives_up_for("stopped_by_user")},
      {"gives no reason", "M9", "no_spare", {}, {}, gives_up_for("")},
  };
}

}  // namespace

std::vector<MutantRow> modelarts_mutants() {
  std::vector<MutantRow> rows;
  for (const auto part : {in_place_rows, isolation_rows, pod_rows, scheduling_rows, budget_rows,
                          time_rows, ending_rows}) {
    std::ranges::move(part(), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace aftershock::sim
