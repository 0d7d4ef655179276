#include <algorithm>
#include <variant>

#include "policies/api/json.h"
#include "sim/world/controlling.h"
#include "sim/world/names.h"
#include "sim/world/world.h"

// Decisions as they are kept: the moves of budgets, and records.
namespace aftershock::sim::world {

namespace {

using reports::Cause;

// A hang that is one has a fault for its cause.
bool answers_false_alarm(Cause cause, const policies::Batch& batch) {
  return cause == Cause::policy() && std::ranges::any_of(batch.events, [](const auto& event) {
           return std::holds_alternative<policies::HangSuspected>(event);
         });
}

}  // namespace

// A run without its policy is at its end.
bool lost_policy(World& world, const control::PolicyHost& host) {
  const std::string_view why = host.policy().failure();
  if (why.empty()) {
    return false;
  }
  world.core.policy_fails(why);
  return true;
}

void charge(World& world, workload::Job& job, const policies::Step& step, Cause about) {
  for (const policies::BudgetMove& move : step.budgets) {
    workload::add_charge(job.control, world.now_us(), step, move,
                         about.is_fault() ? about.value : -1)
        .false_alarm = answers_false_alarm(about, job.control.host.batch());
    job.account.limited = move.limit.has_value();
    job.restart_loop.limited |= move.limit && !move.exempt;
  }
}

void record_decision(World& world, reports::Entity on, const control::PolicyHost& host, Cause cause,
                     const policies::Decision& decision) {
  const policies::Batch& batch = host.batch();
  // Enough to tell two different decisions apart without writing either.
  reports::RollingHash hash;
  for (const policies::Step& step : decision.steps) {
    hash.add((std::uint64_t{step.rule} << 32U) | (std::uint64_t{step.from_state} << 16U) |
             step.to_state);
    for (const policies::BudgetMove& move : step.budgets) {
      hash.add((std::uint64_t{move.budget} << 32U) | static_cast<std::uint64_t>(move.cause));
      hash.add(static_cast<std::uint64_t>(move.used));
      hash.add(move.exempt ? 1 : 0);
    }
    for (const policies::Command& command : step.commands) {
      hash.add(command.index());
      hash.add(std::visit([](const auto& asked) { return asked.id; }, command));
    }
  }
  const std::uint64_t words[] = {batch.seq, batch.events.size(), hash.value()};
  world.text.clear();
  if (world.core.recorder().writing()) {
    world.text.append("\"batch\":").append(std::to_string(batch.seq)).append(",\"fault\":");
    if (cause.is_fault()) {
      const auto number = static_cast<std::size_t>(cause.value);
      policies::append_json_string(world.text,
                                   faults::fault_id(world.scenario(), world.faults[number]));
    } else {
      world.text += answers_false_alarm(cause, batch) ? R"(null,"false_alarm":true)" : "null";
    }
    world.text += ",\"saw\":[";
    for (const policies::Event& event : batch.events) {
      world.text += &event == batch.events.data() ? "" : ",";
      // Recordings have the events as protocol 1.0 does: their hashes are older than what came
      // later.
      if (policies::released_with(event) != nullptr) {
        policies::append_json(world.text, policies::in_protocol_1_0(event));
      } else {
        policies::append_json(world.text, event);
      }
    }
    world.text += "],";
    policies::append_json_members(world.text, decision, host.info());
  }
  world.core.recorder().custom(world.now_us(), reports::RecordKind::kDecision, on, words,
                               world.text);
}

}  // namespace aftershock::sim::world
