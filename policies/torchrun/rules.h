#pragma once

#include <cstdint>

#include "policies/api/policy.h"

namespace aftershock::policies::torchrun {

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
  kRestart,
  kExhausted,
  kNodeDropped,
  kReachedAgain,
  kNodeJoined,
  kLastCall,
  kComplete,
  kTimeout,
  kExitBarrier,
  kStoreLost,
  kCount,
};

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::torchrun
