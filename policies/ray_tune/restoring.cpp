// A new driver's reading of the files under its experiment's name.

#include <algorithm>
#include <array>
#include <utility>

#include "policies/parts/key_changes.h"
#include "policies/ray_tune/experiment.h"
#include "policies/ray_tune/restore.h"

namespace aftershock::policies::ray_tune {
namespace {

constexpr std::array<RuleId, kResumedCount> kRestoringRules{
    RuleId::kTerminatedKept,   RuleId::kErroredKept,       RuleId::kErroredResumed,
    RuleId::kErroredRestarted, RuleId::kUnfinishedResumed, RuleId::kUnfinishedDropped};

}  // namespace

void RayTune::refuse(Turn& turn, Index at, RuleId rule, std::string_view what) {
  Step& step = add_step(turn, rule, State::kRaised);
  step.saw = {at};
  std::string reason = "unrecoverable(";
  reason += what;
  step.commands.emplace_back(Fail{++last_command_, job_, reason + ')'});
}

void RayTune::restore(Turn& turn, Index at, const StoredExperiment& stored) {
  const RestoreOptions& options = config_.restore;
  if (!stored.tuner) {
    refuse(turn, at, RuleId::kRestoreTunerUnreadable, unreadable_pickle("tuner.pkl"));
    return;
  }
  const std::string& trainable = options.trainable.value_or(config_.trainable);
  if (trainable != stored.tuner->trainable) {
    refuse(turn, at, RuleId::kRestoreTrainableChanged,
           "ValueError: the experiment was begun with the trainable \"" + stored.tuner->trainable +
               "\", not \"" + trainable + "\"; restore it with the one that it was begun with");
    return;
  }
  if (options.param_space && *options.param_space != stored.tuner->param_space) {
    refuse(turn, at, RuleId::kRestoreParamSpaceChanged,
           "ValueError: param_space has other keys than the experiment was begun with: " +
               key_changes(stored.tuner->param_space, *options.param_space) +
               "; give the same keys, or none");
    return;
  }
  tuner_ = *stored.tuner;
  begun_ = true;
  // A restore is another session of Ray: objects that the old one held are gone.
  dead_references_ = !tuner_.object_refs.empty() && !options.object_refs_given_anew;
  if (stored.state) {
    take_up(turn, at, *stored.state);
  } else if (config_.failure.fail_fast != FailFast::kOff) {
    refuse(turn, at, RuleId::kRestoreRaises, unreadable_state(found_));
  } else {
    session_ = 2;  // of how many that were before cannot be read
    num_samples_ = 1;
    samples_known_ = true;
    add_step(turn, RuleId::kRestoreAfresh, state_).saw = {at};
  }
}

void RayTune::take_up(Turn& turn, Index at, const StoredState& state) {
  session_ = state.session + 1;
  num_samples_ = state.num_samples;
  samples_known_ = true;
  trials_ = state.trials;
  live_.resize(trials_.size());
  add_step(turn, RuleId::kRestored, state_).saw = {at};
  std::array<bool, kResumedCount> met{};
  for (std::uint32_t number = 0; number < trials_.size(); ++number) {
    Trial& trial = trials_[number];
    const Resumed what = resumed(trial.status, config_.restore.resume);
    apply(what, session_, trial);
    met[static_cast<std::size_t>(what)] = true;
    unfinished_ += is_finished(trial.status) ? 0U : 1U;
    pending_ += trial.status == TrialStatus::kPending ? 1U : 0U;
    most_failures_ = std::max(most_failures_, trial.counts.num_failures);
    snapshots_.changed(number);
  }
  for (std::size_t what = 0; what < kResumedCount; ++what) {
    if (met[what]) {
      add_step(turn, kRestoringRules[what], state_).saw = {at};
    }
  }
  for (const std::uint32_t trial : requeue_order(trials_)) {
    queue(trial);
  }
}

}  // namespace aftershock::policies::ray_tune
