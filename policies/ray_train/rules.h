#pragma once

#include <cstdint>

#include "policies/api/policy.h"
#include "policies/ray_train/profile.h"

namespace aftershock::policies::ray_train {

/// States of the controller, in the order of the policy's info.
enum class State : std::uint16_t {
  kInitializing,
  kScheduling,
  kRescheduling,
  kRunning,
  kRestarting,
  kShuttingDown,
  kErrored,
  kFinished,
  kAborted,
};

/// States that nothing leads out of.
constexpr bool is_terminal(State state) { return state >= State::kErrored; }

/// Rules, in the order of the policy's info. What each says stands in rules.cpp.
enum class RuleId : std::uint16_t {
  kScheduleNewAttempt,
  kScheduleSameAttempt,
  kStartAfterTeardown,
  kStartRunning,
  kStartRetry,
  kStartRaise,
  kStartNotRetryable,
  kStartInsufficientCluster,
  kFailureRetry,
  kFailureRaise,
  kControllerErrorRetry,
  kControllerErrorRaise,
  kControllerErrorNotRetryable,
  kControllerErrorWrongState,
  kCheckpointCommit,
  kCheckpointMixed,
  kCheckpointDiscarded,
  kSnapshotRestored,
  kSnapshotUnreadable,
  kSnapshotUnwritable,
  kFinishAllRanks,
  kShutdownFinished,
  kShutdownErrored,
  kShutdownFailed,
  kShutdownHookFailed,
  kShutdownHookError,
  kAbortFirst,
  kAbortSecond,
  kAbortThird,
  kEventNotCurrent,
  kPreemptionIgnored,
  kHangNotWatched,
  kCommandFailed,
  kCount,
};

/// What the policy says of itself in this profile, which must be one of profiles().
const PolicyInfo& policy_info(const Profile& profile);

}  // namespace aftershock::policies::ray_train
