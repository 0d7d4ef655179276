#pragma once

#include <cstdint>

#include "policies/api/policy.h"
#include "policies/torchrun/config.h"

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
  kRestartAlone,
  kAllAlone,
  kSharedRestart,
  kSharedFails,
  kSharedJoin,
  kAgentEnded,
  kNoAgents,
  kClosed,
  kCount,
};

/// Its place in the policy's info.
constexpr std::uint16_t rule(RuleId id) { return static_cast<std::uint16_t>(id); }

/// The policy's description of itself, by its profile and rendezvous.
const PolicyInfo& policy_info(const Config& config);

}  // namespace aftershock::policies::torchrun
