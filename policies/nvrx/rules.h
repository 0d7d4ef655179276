#pragma once

#include <cstdint>

#include "policies/api/policy.h"

namespace aftershock::policies::nvrx {

/// Rules, in the order of the policy's info. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kStarted,
  kTakenUp,
  kHealthy,
  kSucceeded,
  kSignal,
  kHangNotWatched,
  kPreemptionIgnored,
  kEventNotCurrent,
  kCommandFailed,
  kNodeLostJoining,
  kWorkersStart,
  kException,
  kSoftTimeout,
  kHardTimeout,
  kTerminated,
  kMaxIterations,
  kRestart,
  kExhausted,
  kExitsAlone,
  kProgress,
  kNoProgress,
  kNoProgressStop,
  kHeartbeat,
  kNodeLost,
  kStoreLost,
  kHealthPassed,
  kHealthFailed,
  kExcluded,
  kTooManyUnhealthy,
  kTimeout,
  kLauncherEnded,
  kNoLaunchers,
  kCount,
};

/// Order of the budgets in the policy's info.
enum class Budget : std::uint16_t { kMaxRestarts, kNoProgressCycles, kMaxIterations };

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::nvrx
