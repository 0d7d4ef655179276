#pragma once

#include <cstdint>
#include <string_view>

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

/// The description of itself that the policy has with that profile.
const PolicyInfo& policy_info(std::string_view profile);

}  // namespace aftershock::policies::torchrun
