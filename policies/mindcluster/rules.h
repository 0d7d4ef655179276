#pragma once

#include <cstdint>

#include "policies/api/policy.h"

namespace aftershock::policies::mindcluster {

/// States of the job, in the order of the policy's info.
enum class State : std::uint16_t {
  kPending,
  kRunning,
  kRecovering,       ///< processes are recovered while the job's pods stay
  kPodRescheduling,  ///< faulty pods are made anew
  kJobRescheduling,  ///< all pods are
  kCompleted,
  kFailed,
  kTerminated,
};

/// States that nothing leads out of.
constexpr bool is_terminal(State state) { return state >= State::kCompleted; }

/// Order of the budgets in the policy's info.
enum class Budget : std::uint16_t { kFaultRetryTimes, kBackoffLimit };

/// Rules, in the order of the policy's info. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kSubmitted,
  kRestored,
  kRunning,
  kCompleted,
  kStopped,
  kUnschedulable,
  kNotHandled,
  kSubHealthIgnored,
  kSubHealthExit,
  kSubHealthHotSwitch,
  kPreSeparated,
  kSeparated,
  kUnlisted,
  kRelation,
  kFrequency,
  kDuration,
  kManual,
  kSoftwareCode,
  kReleased,
  kNodeLost,
  kExit,
  kAllFailed,
  kRetriesOff,
  kRetriesExhausted,
  kBackoffLimit,
  kSchedulingOff,
  kRetry,
  kInPlace,
  kRecover,
  kDump,
  kExitStep,
  kProcessFailed,
  kPodReschedule,
  kPodsRecreated,
  kPodPending,
  kRankZero,
  kJobReschedule,
  kJobStarted,
  kHangReported,
  kEventNotCurrent,
  kCommandFailed,
  kCount,
};

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::mindcluster
