#include <string>
#include <utility>

#include "policies/modelarts/controller.h"

// Exits that no hardware explains, and hangs (rows 11 to 17 of modelarts.md 1.3).
namespace aftershock::policies::modelarts {

void ModelArts::note_exit(Turn& turn, Index at, std::string look) {
  if (state_ == State::kExitHeld || turn.exit) {
    return;  // the first exit speaks for those that follow from it
  }
  memory_.held_exit = std::move(look);
  turn.exit = at;
}

void ModelArts::hold_exit(Turn& turn, Index at) {
  if (!config_.job_retry_num) {
    fail(turn, at, RuleId::kAutoRestartOff);
    return;
  }
  if (config_.correlation_us == 0) {
    plain_exit(turn, at);
    return;
  }
  memory_.held_until_us = turn.batch.t_us + config_.correlation_us;
  add_step(turn, RuleId::kExitHeld, State::kExitHeld, at);
}

void ModelArts::plain_exit(Turn& turn, Index at) {
  if (!config_.unconditional) {
    fail(turn, at, RuleId::kUnconditionalOff);
    return;
  }
  if (config_.readings.same_exit_only && memory_.held_exit != memory_.last_exit) {
    memory_.unconditional_runs = 0;
  }
  memory_.last_exit = memory_.held_exit;
  const bool last = memory_.unconditional_runs == kRunLimit;
  if (!last && !retry_left()) {
    fail_exhausted(turn, at, ChargeCause::kApplication);
    return;
  }
  ++memory_.unconditional_runs;
  const BudgetMove run{.budget = static_cast<std::uint16_t>(Budget::kUnconditionalRun),
                       .cause = ChargeCause::kApplication,
                       .used = memory_.unconditional_runs,
                       .limit = kRunLimit,
                       .exhausted = last};
  if (last) {
    fail(turn, at, RuleId::kUnconditionalLimit);
    turn.decision.steps.back().budgets.push_back(run);
    return;
  }
  if (!config_.readings.hangs_never_reset) {
    memory_.hang_runs = 0;
  }
  reschedule_job(turn, at, RuleId::kUnconditional, ChargeCause::kApplication);
  for (Step& step : turn.decision.steps) {
    if (step.rule == static_cast<std::uint16_t>(RuleId::kUnconditional)) {
      step.budgets.push_back(run);
    }
  }
}

std::uint32_t ModelArts::hang_limit() const {
  return config_.readings.third_hang_ends ? kRunLimit - 1 : kRunLimit;
}

void ModelArts::handle_hang(Turn& turn, Index at, bool hardware) {
  if (!may_hang()) {
    add_step(turn, hardware ? RuleId::kHangHardware : RuleId::kEventNotCurrent, state_, at);
    return;
  }
  if (!config_.job_retry_num || !config_.hang_retry) {
    add_step(turn, RuleId::kHangNotify, state_, at)
        .commands.emplace_back(Notify{++last_command_, job_, "the job hangs"});
    return;
  }
  if (config_.readings.start_hangs_ignored && !progressed_) {
    add_step(turn, RuleId::kHangIgnored, state_, at)
        .rejected.push_back({"restart", "no checkpoint has been saved since the start"});
    return;
  }
  const bool last = memory_.hang_runs == hang_limit();
  ++memory_.hang_runs;
  const BudgetMove run{.budget = static_cast<std::uint16_t>(Budget::kHangRun),
                       .cause = ChargeCause::kHang,
                       .used = memory_.hang_runs,
                       .limit = hang_limit(),
                       .exhausted = last};
  if (last) {
    fail(turn, at, RuleId::kHangLimit);
    turn.decision.steps.back().budgets.push_back(run);
    return;
  }
  plan_ = Plan::kHang;
  Step& step = add_step(turn, RuleId::kHangRestart, State::kHrStopProcs, at);
  step.budgets = {job_retry_move(ChargeCause::kHang, true), run};
  advance(turn, at);
}

}  // namespace aftershock::policies::modelarts
