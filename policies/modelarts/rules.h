#pragma once

#include <cstdint>

#include "policies/api/policy.h"

namespace aftershock::policies::modelarts {

/// States of the job, in the order of the policy's info (modelarts.md 4).
enum class State : std::uint16_t {
  kQueued,
  kStarting,
  kRunning,
  kExitHeld,
  kIprStopProcs,
  kIprSelfHeal,
  kIprRelaunch,
  kHrStopProcs,
  kHrRelaunch,
  kPrStopSurvivors,
  kPrReschedule,
  kJobTeardown,
  kJobStart,
  kCompleted,
  kFailed,
  kTerminated,
};

/// States that nothing leads out of.
constexpr bool is_terminal(State state) { return state >= State::kCompleted; }

/// Order of the budgets in the policy's info.
enum class Budget : std::uint16_t { kJobRetry, kPodRetry, kUnconditionalRun, kHangRun };

/// How many unconditional reschedulings, and hang restarts, there may be in a row (D4, D6).
inline constexpr std::uint32_t kRunLimit = 3;

/// How long a node stays isolated without a fault where it is released at all (A26).
inline constexpr DurationUs kIsolationUs = 48 * 3600 * kSecondUs;

/// Rules, in the order of the policy's info. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kSubmitted,
  kRestored,
  kRunning,
  kProgress,
  kCompleted,
  kStopped,
  kChipHint,
  kChipUnlistedMinor,
  kChipGpuApplication,
  kAutoRestartOff,
  kInPlace,
  kInPlaceJoined,
  kSelfHeal,
  kHealed,
  kHealBeforeScheduling,
  kHealedBeforeScheduling,
  kNotHealed,
  kUserNotHealed,
  kThirdFault,
  kThirdUserFault,
  kIsolateCritical,
  kIsolateUnlisted,
  kIsolateGpu,
  kIsolateNode,
  kPodReschedule,
  kPodsRemoved,
  kPodsRecreated,
  kPodJoined,
  kPodFailed,
  kPodFailedNoSwitch,
  kPodRetriesGone,
  kIsolatedReschedule,
  kContainersRemoved,
  kRescheduled,
  kLateNodeFault,
  kExitHeld,
  kExitHardware,
  kUnconditionalOff,
  kUnconditional,
  kUnconditionalLimit,
  kHangNotify,
  kHangIgnored,
  kHangHardware,
  kHangRestart,
  kHangRelaunch,
  kHangLimit,
  kRetriesExhausted,
  kNoResource,
  kReleased,
  kEventNotCurrent,
  kCommandFailed,
  kCount,
};

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::modelarts
