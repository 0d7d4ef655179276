#pragma once

#include <cstdint>

#include "policies/api/policy.h"
#include "policies/ray_tune/profile.h"

namespace aftershock::policies::ray_tune {

/// States of the experiment, in the order of the policy's info. Tune has no words for them.
enum class State : std::uint16_t {
  kPending,
  kRunning,
  kStopping,
  kFinished,
  kRaised,
  kAborted,
};

/// States that nothing leads out of.
constexpr bool is_terminal(State state) { return state >= State::kFinished; }

/// Order of the budgets in the policy's info.
enum class Budget : std::uint16_t { kMaxFailures, kRestoreFailures };

/// Rules, in the order of the policy's info. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kStarted,
  kContinued,
  kStartedOverOld,
  kRestored,
  kRestoreNothingThere,
  kRestoreTunerUnreadable,
  kRestoreTrainableChanged,
  kRestoreParamSpaceChanged,
  kRestoreAfresh,
  kRestoreRaises,
  kTerminatedKept,
  kErroredKept,
  kErroredResumed,
  kErroredRestarted,
  kUnfinishedResumed,
  kUnfinishedDropped,
  kTrialStart,
  kTrialRunning,
  kTrialRestored,
  kTrialTerminated,
  kTrialRetry,
  kTrialRetryPreempted,
  kTrialRetryRestore,
  kTrialError,
  kTrialStopped,
  kCheckpointEvicted,
  kFailFastStop,
  kFailFastRaise,
  kFinished,
  kInterrupted,
  kEventNotCurrent,
  kCommandFailed,
  kCheckpointWiped,  // only in profiles with restore_failure_wipes_checkpoint
  kCount,
};

/// The policy's description of itself in this profile, which must be one of profiles().
const PolicyInfo& policy_info(const Profile& profile);

}  // namespace aftershock::policies::ray_tune
