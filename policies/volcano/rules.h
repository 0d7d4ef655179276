#pragma once

#include <cstdint>

#include "policies/api/policy.h"

namespace aftershock::policies::volcano {

/// Rules, in the order of the policy's info. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kPending,
  kTakenUp,
  kRunning,
  kCompleted,
  kCommandAbort,
  kHangNotWatched,
  kPreemptionIgnored,
  kEventNotCurrent,
  kCommandFailed,
  kPods,
  kStarted,
  kJoined,
  kPendingAgain,
  kSync,
  kSyncFailed,
  kSyncCompleted,
  kRestartJob,
  kRestartTask,
  kRestartPod,
  kRestartPartition,
  kRetained,
  kMaxRetry,
  kRestarting,
  kAllDown,
  kAbort,
  kTerminate,
  kComplete,
  kTaskCompleted,
  kNodeLost,
  kEvicted,
  kReachedAgain,
  kPodPending,
  kUnknown,
  kTerminating,
  kDelayed,
  kCount,
};

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::volcano
