#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "policies/api/policy.h"
#include "policies/ray_train/profile.h"

namespace aftershock::policies::ray_train {

/// States of the controller. The terminal ones come last.
enum class State : std::uint16_t {
  kInitializing,
  kScheduling,
  kRescheduling,
  kRunning,
  kRestarting,
  kResizing,
  kPreempting,
  kShuttingDown,
  kErrored,
  kFinished,
  kAborted,
  kCount,
};

/// States that nothing leads out of.
constexpr bool is_terminal(State state) { return state >= State::kErrored; }

/// Rules of all versions. Their words stand in rule_table.cpp.
enum class RuleId : std::uint16_t {
  kScheduleNewAttempt,
  kScheduleSameAttempt,
  kStartAfterTeardown,
  kStartRunning,
  kStartRetry,
  kStartRetryUncounted,
  kStartRaise,
  kStartNotRetryable,
  kStartInsufficientCluster,
  kStartLeaked,
  kFailureRetry,
  kFailureRaise,
  kControllerErrorRetry,
  kControllerErrorRaise,
  kControllerErrorNotRetryable,
  kControllerErrorWrongState,
  kControllerErrorAsserts,
  kControllerErrorEscapes,
  kControllerErrorEscapes255,
  kElasticWait,
  kElasticResize,
  kReplicaReplace,
  kPreemptingEnter,
  kPreemptingNotice,
  kPreemptingRelax,
  kPreemptingMerge,
  kPreemptingDeath,
  kPreemptionRetry,
  kPreemptionRaise,
  kPreemptionIgnored,
  kHangNccl,
  kHangNotWatched,
  kCheckpointCommit,
  kCheckpointMixed,
  kCheckpointDiscarded,
  kSnapshotRestored,
  kSnapshotUnreadable,
  kSnapshotMissingCheckpoint,
  kSnapshotUnwritable,
  kFinishAllRanks,
  kShutdownFinished,
  kShutdownErrored,
  kShutdownErrored255,
  kShutdownFailed,
  kShutdownHookFailed,
  kShutdownEscapes,
  kShutdownHookError,
  kAbortFirst,
  kAbortWaits249,
  kAbortWaits,
  kAbortEnded,
  kAbortSecond,
  kAbortThird,
  kAbortDriverEnds,
  kEventNotCurrent,
  kCommandFailed,
  kCount,
};

inline constexpr auto kRuleCount = static_cast<std::size_t>(RuleId::kCount);
inline constexpr auto kStateCount = static_cast<std::size_t>(State::kCount);

/// A rule and the versions that have it.
struct RuleEntry {
  RuleId id = RuleId::kCount;
  Versions versions;
  std::string_view name;      ///< the stable id, e.g. "ray_train.failure.retry"
  std::string_view sentence;  ///< its words, for a reader of a decision
  std::string_view file;      ///< where Ray Train V2 lays it down
};

/// All rules, in the order of RuleId.
std::span<const RuleEntry> rule_table();

/// The policy's description of itself in one profile, and the places of its words in that.
struct Vocabulary {
  PolicyInfo info;
  std::array<std::uint16_t, kRuleCount> rules{};  ///< index into info.rules of a RuleId
  std::array<std::uint16_t, kStateCount> states{};
  std::deque<std::string> sources;  ///< info.rules refers to these
};

/// Index of a rule or a state that the profile does not have.
inline constexpr std::uint16_t kNoIndex = 0xFFFF;

/// The words of a profile, which must be one of profiles().
const Vocabulary& vocabulary(const Profile& profile);

/// The policy's description of itself in this profile, which must be one of profiles().
const PolicyInfo& policy_info(const Profile& profile);

}  // namespace aftershock::policies::ray_train
