#pragma once

#include <cstdint>

#include "policies/api/policy.h"
#include "policies/ray_train_v1/profile.h"

namespace aftershock::policies::ray_train_v1 {

/// States of the run, in the order of the policy's info: the statuses of its trial, STOPPING while
/// its workers are ended for good, RAISED where an error leaves fit() before or beside the trial.
enum class State : std::uint16_t {
  kPending,
  kRunning,
  kStopping,
  kTerminated,
  kError,
  kRaised,
  kAborted,
};

/// States that nothing leads out of.
constexpr bool is_terminal(State state) { return state >= State::kTerminated; }

/// Rules, in the order of the policy's info. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kStarted,
  kContinued,
  kStartedOverOld,
  kRestored,
  kRestoredFinished,
  kRestoreNothingThere,
  kRestoreTrainerUnreadable,
  kRestoreOtherClass,
  kRestoreDatasets,
  kRestoreTunerUnreadable,
  kRestoreAfresh,
  kRestoreRaises,
  kAttempt,
  kRunning,
  kStartInfeasible,
  kStartDefect,
  kRetry,
  kRetryPreempted,
  kError,
  kReportsUneven,
  kCheckpointCommit,
  kFailFastStop,
  kFailFastRaise,
  kFinishAllRanks,
  kEnded,
  kInterrupted,
  kHangNotWatched,
  kPreemptionIgnored,
  kEventNotCurrent,
  kCommandFailed,
  kCount,
};

/// The policy's description of itself in this profile, which must be one of profiles().
const PolicyInfo& policy_info(const Profile& profile);

}  // namespace aftershock::policies::ray_train_v1
