// A new driver's reading of the files under its run's name.

#include <utility>

#include "policies/parts/key_changes.h"
#include "policies/ray_train_v1/trainer.h"

namespace aftershock::policies::ray_train_v1 {

using ray_tune::TrialStatus;

void RayTrainV1::refuse(Turn& turn, Index at, RuleId rule, std::string_view what) {
  Step& step = add_step(turn, rule, State::kRaised);
  step.saw = {at};
  std::string reason = "unrecoverable(";
  reason += what;
  step.commands.emplace_back(Fail{++last_command_, job_, reason + ')'});
}

void RayTrainV1::restore(Turn& turn, Index at, const StoredRun& stored) {
  const RestoreOptions& options = config_.restore;
  if (!stored.trainer) {
    refuse(turn, at, RuleId::kRestoreTrainerUnreadable, ray_tune::unreadable_pickle("trainer.pkl"));
    return;
  }
  const std::string& trainer = options.trainer.value_or(config_.trainer);
  if (trainer != stored.trainer->trainer) {
    refuse(turn, at, RuleId::kRestoreOtherClass,
           "ValueError: trainer.pkl holds the arguments of a " + stored.trainer->trainer +
               ", which " + trainer + " does not take; call " + stored.trainer->trainer +
               ".restore");
    return;
  }
  if (options.datasets != stored.trainer->datasets) {
    refuse(turn, at, RuleId::kRestoreDatasets,
           "ValueError: restore(datasets=...) must have the keys that the run was begun with: " +
               key_changes(stored.trainer->datasets, options.datasets) +
               "; give all of them anew, under the same keys");
    return;
  }
  if (!stored.experiment.tuner) {
    refuse(turn, at, RuleId::kRestoreTunerUnreadable, ray_tune::unreadable_pickle("tuner.pkl"));
    return;
  }
  trainer_ = *stored.trainer;
  workers_anew_ = options.workers;
  begun_ = true;
  if (!stored.experiment.state) {
    if (config_.failure.fail_fast != ray_tune::FailFast::kOff) {
      refuse(turn, at, RuleId::kRestoreRaises, ray_tune::unreadable_state(found_));
    } else {
      session_ = 2;  // of how many that were before cannot be read
      add_step(turn, RuleId::kRestoreAfresh, state_).saw = {at};
    }
    return;
  }
  session_ = stored.experiment.state->session + 1;
  add_step(turn, RuleId::kRestored, state_).saw = {at};
  if (stored.experiment.state->trials.empty()) {
    return;
  }
  // The trial is resumed whatever its status was.
  trials_ = {stored.experiment.state->trials.front()};
  if (trials_.front().status == TrialStatus::kTerminated) {
    add_step(turn, RuleId::kRestoredFinished, state_).saw = {at};
  }
  set_status(TrialStatus::kPending);
}

}  // namespace aftershock::policies::ray_train_v1
