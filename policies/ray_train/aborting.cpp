// Ctrl-C: how a run is aborted by the user who started it.

#include <utility>

#include "policies/ray_train/controller.h"

namespace aftershock::policies::ray_train {

void RayTrain::on(Turn& turn, Index at, const StopRequested& stop) {
  if (job_known_ && stop.job != job_) {
    turn.not_current.push_back(at);
    return;
  }
  if (!profile_->aborts_on_interrupt) {
    end_process(turn, {at}, RuleId::kAbortDriverEnds, "stopped_by_user");
    return;
  }
  if (stop.nth == 2) {
    add_step(turn, RuleId::kAbortSecond, state_).saw = {at};
    return;
  }
  if (stop.nth < 2 && ends_in_terminal_state()) {
    add_step(turn, RuleId::kAbortWaits249, state_).saw = {at};
    return;
  }
  if (profile_->abort_waits) {
    hear_interrupt(turn, at, stop.nth);
    return;
  }
  const bool first = stop.nth < 2;
  Step& step = add_step(turn, first ? RuleId::kAbortFirst : RuleId::kAbortThird, State::kAborted);
  step.saw = {at};
  if (first && group_lives()) {
    stop_command_ = ++last_command_;
    step.commands.emplace_back(StopWorkers{stop_command_, job_, epoch_, stop_grace_us_});
    group_ = Group::kStopping;
  }
  step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
}

// The driver waits until the group is aborted, and the user may press again meanwhile.
void RayTrain::go_on_aborting(Turn& turn, std::size_t from) {
  for (std::size_t at = from; at < turn.batch.events.size(); ++at) {
    if (const auto* stopped = std::get_if<WorkersStopped>(&turn.batch.events[at]);
        stopped != nullptr && is_current(stopped->job, stopped->epoch)) {
      group_ = Group::kNone;
    }
    const auto* stop = std::get_if<StopRequested>(&turn.batch.events[at]);
    const bool waits = state_ == State::kAborted && group_ == Group::kStopping && !driver_gone_;
    if (stop == nullptr || !waits || stop->job != job_ || stop->nth < 2) {
      continue;
    }
    Step& step =
        add_step(turn, stop->nth == 2 ? RuleId::kAbortSecond : RuleId::kAbortThird, state_);
    step.saw = {static_cast<Index>(at)};
    if (stop->nth > 2) {
      step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
      driver_gone_ = true;
    }
  }
}

void RayTrain::hear_interrupt(Turn& turn, Index at, std::uint32_t nth) {
  if (nth > 2) {
    Step& step = add_step(turn, RuleId::kAbortThird, state_);
    step.saw = {at};
    step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
    driver_gone_ = true;
    return;
  }
  if (polls() && !polls_at_once_) {
    begin_abort(turn, {at});
    return;
  }
  interrupted_ = true;
  const bool old = profile_->version == Version::k249;
  Step& step = add_step(turn, old ? RuleId::kAbortWaits249 : RuleId::kAbortWaits, state_);
  step.saw = {at};
  step.rejected.push_back({"abort the run", "the control loop does not sleep now"});
}

void RayTrain::begin_abort(Turn& turn, std::vector<Index> saw) {
  interrupted_ = false;
  aborting_ = true;
  if (!profile_->abort_stops_group) {
    // The controller's actor exits, and its workers die with it.
    Step& step = add_step(turn, RuleId::kAbortFirst, State::kAborted);
    step.saw = std::move(saw);
    stop_command_ = ++last_command_;
    step.commands.emplace_back(StopWorkers{stop_command_, job_, epoch_, 0});
    step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
    driver_gone_ = true;
    return;
  }
  Step& step = add_step(turn, RuleId::kAbortFirst, state_);
  step.saw = std::move(saw);
  stop_command_ = ++last_command_;
  step.commands.emplace_back(StopWorkers{stop_command_, job_, epoch_, stop_grace_us_});
  group_ = Group::kStopping;
}

void RayTrain::end_abort(Turn& turn, Index at, bool raised) {
  Step& step = add_step(turn, RuleId::kAbortEnded, raised ? state_ : State::kAborted);
  step.saw = {at};
  step.commands.emplace_back(Fail{++last_command_, job_, "stopped_by_user"});
  driver_gone_ = true;
}

void RayTrain::abort_if_asleep(Turn& turn) {
  if (interrupted_ && polls()) {
    begin_abort(turn, {});
  }
}

}  // namespace aftershock::policies::ray_train
