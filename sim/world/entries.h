#pragma once

#include <cstdint>

namespace aftershock::sim {

/// What a calendar entry of the world is about; `entity`, `epoch` and `arg` as said.
enum class What : std::uint16_t {
  kHorizon,
  kSubmit,             ///< entity: job
  kScripted,           ///< entity: fault spec
  kArrival,            ///< entity: fault spec, epoch: of its training clock, arg: n
  kStepReached,        ///< entity: fault spec, epoch: attempt, arg: work
  kTriggered,          ///< entity: fault spec, epoch: phase instance
  kNoticeOver,         ///< entity: node, epoch: its own, arg: fault number
  kHangOver,           ///< arg: fault number
  kPartitionOver,      ///< arg: fault number
  kHeartbeatsMissed,   ///< entity: node, epoch: its own, arg: pool
  kNodeBack,           ///< entity: node, epoch: its own, arg: pool
  kNodeProvisioned,    ///< entity: node, epoch: its own, arg: pool
  kAcceleratorBack,    ///< arg: fault number
  kStageOver,          ///< entity: job, epoch: stage
  kTransferOver,       ///< entity: transfer, epoch: its version
  kPlacementLimit,     ///< entity: job, epoch: stage
  kStartFailureSeen,   ///< entity: job, epoch: attempt
  kCollectiveTimeout,  ///< entity: job, epoch: stage
  kHangRule,           ///< entity: job, epoch: stage
  kStill,              ///< entity: job, epoch: look
  kCaughtUp,           ///< entity: job, epoch: stage
  kDeliver,            ///< entity: job
  kPoll,               ///< entity: job, epoch: poll plan
  kServeQueue,         ///< entity: pool
  kHeadBack,           ///< entity: head
  kPolicyBack,         ///< entity: job or experiment, as job_id(), epoch: drivers that it had
  kCapacityLook,       ///< entity: job
  kNoticeSeen,         ///< entity: job, epoch: attempt, arg: fault number
  kUploadRetry,        ///< entity: job, epoch: attempt, arg: checkpoint
  kUploadFailed,       ///< entity: job, epoch: attempt, arg: fault number
  kReclaim,            ///< entity: job, arg: when it leaked
  kDiskFreed,          ///< entity: node, epoch: its own, arg: pool
  kHealed,             ///< entity: job, epoch: attempt, arg: try at healing
  kIsolationOver,      ///< entity: node, epoch: isolation, arg: pool
  kStormError,         ///< entity: which of its errors, epoch: that of its node, arg: fault number
  kPressed,            ///< entity: presses left, epoch: driver run, arg: fault number
  kExperimentSubmit,   ///< entity: experiment
  kExperimentDeliver,  ///< entity: experiment
  kExperimentTimer,    ///< entity: experiment, epoch: of the wish
  kTrialStageOver,     ///< entity: experiment, epoch: stage, arg: trial
  kLinkTurns,          ///< entity: which turn, arg: fault number
  kStorageBack,        ///< arg: fault number
  kLateMessage,        ///< entity: job, arg: fault number
  kCastawayWrites,     ///< entity: castaway
  kFollower,           ///< entity: fault spec, arg: n and which of those that follow
  kSlownessOver,       ///< arg: fault number
  kDefectShows,        ///< entity: node, epoch: its own, arg: fault number
  kDenialOver,         ///< arg: fault number
};

}  // namespace aftershock::sim
