#pragma once

#include <cstdint>

#include "policies/api/policy.h"

namespace aftershock::policies::kubeflow {

/// Rules, in the order of the policy's info. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kCreated,
  kTakenUp,
  kRunning,
  kSucceeded,
  kDeleted,
  kHangNotWatched,
  kPreemptionIgnored,
  kEventNotCurrent,
  kCommandFailed,
  kNodeLostStarting,
  kPods,
  kPermanent,
  kRetryable,
  kOnFailure,
  kBackoffLimit,
  kNever,
  kNodeLost,
  kEvicted,
  kReachedAgain,
  kAllDown,
  kDeadline,
  kElasticRestart,
  kElasticExit,
  kLastCall,
  kComplete,
  kElasticTimeout,
  kTerminating,
  kEndedWhenBack,
  kCount,
};

/// Budgets, in the order of the policy's info.
enum class Budget : std::uint16_t { kBackoffLimit, kMaxRestarts };

/// Its index in the policy's info.
constexpr std::uint16_t rule(RuleId id) { return static_cast<std::uint16_t>(id); }
/// Its index in the policy's info.
constexpr std::uint16_t budget(Budget id) { return static_cast<std::uint16_t>(id); }

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::kubeflow
