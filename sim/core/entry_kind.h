#pragma once

#include <cstdint>

#include "base/assert.h"
#include "sim/engine/calendar.h"

namespace aftershock::sim::core {

/// The kinds of calendar entries of the world; `entity`, `epoch` and `arg` as said.
enum class EntryKind : std::uint16_t {
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
  kActivityTimeout,    ///< entity: job, epoch: look
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
  kOrphanWrites,       ///< entity: orphan
  kFollower,           ///< entity: fault spec, arg: n and which of those that follow
  kSlownessOver,       ///< arg: fault number
  kDefectShows,        ///< entity: node, epoch: its own, arg: fault number
  kDenialOver,         ///< arg: fault number
  kHealthCheck,        ///< arg: fault number, of the device that it comes to
  kObjectsRemoved,     ///< arg: number of the objects
  kRepairsBegin,       ///< of a crew that has somebody free, or somebody to repair
  kPeersGiveUp,        ///< entity: job, epoch: stage
};

/// The entry's kind, of an entry that a world has scheduled.
constexpr EntryKind kind_of(const engine::Entry& entry) {
  return static_cast<EntryKind>(entry.kind);
}

/// Where entries of the kind stand among those of their microsecond: each kind has one place.
constexpr engine::EntryClass class_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::kStageOver:
    case EntryKind::kTransferOver:
    case EntryKind::kCaughtUp:
    case EntryKind::kReclaim:
    case EntryKind::kHealed:
    case EntryKind::kTrialStageOver:
    case EntryKind::kOrphanWrites:
      return engine::EntryClass::kCompletion;
    case EntryKind::kSubmit:
    case EntryKind::kScripted:
    case EntryKind::kArrival:
    case EntryKind::kStepReached:
    case EntryKind::kTriggered:
    case EntryKind::kNoticeOver:
    case EntryKind::kHangOver:
    case EntryKind::kPartitionOver:
    case EntryKind::kNodeBack:
    case EntryKind::kNodeProvisioned:
    case EntryKind::kAcceleratorBack:
    case EntryKind::kHeadBack:
    case EntryKind::kPolicyBack:
    case EntryKind::kDiskFreed:
    case EntryKind::kIsolationOver:
    case EntryKind::kStormError:
    case EntryKind::kPressed:
    case EntryKind::kExperimentSubmit:
    case EntryKind::kLinkTurns:
    case EntryKind::kStorageBack:
    case EntryKind::kFollower:
    case EntryKind::kSlownessOver:
    case EntryKind::kDefectShows:
    case EntryKind::kDenialOver:
      return engine::EntryClass::kFault;
    case EntryKind::kHeartbeatsMissed:
    case EntryKind::kHealthCheck:
    case EntryKind::kObjectsRemoved:
    case EntryKind::kStartFailureSeen:
    case EntryKind::kCollectiveTimeout:
    case EntryKind::kPeersGiveUp:
    case EntryKind::kHangRule:
    case EntryKind::kCapacityLook:
    case EntryKind::kUploadRetry:
    case EntryKind::kUploadFailed:
    case EntryKind::kLateMessage:
      return engine::EntryClass::kObservation;
    case EntryKind::kPlacementLimit:
    case EntryKind::kExperimentTimer:
      return engine::EntryClass::kTimer;
    case EntryKind::kActivityTimeout:
    case EntryKind::kDeliver:
    case EntryKind::kPoll:
    case EntryKind::kNoticeSeen:
    case EntryKind::kExperimentDeliver:
      return engine::EntryClass::kPoll;
    case EntryKind::kServeQueue:
    case EntryKind::kRepairsBegin:
      return engine::EntryClass::kScheduling;
    case EntryKind::kHorizon:
      return engine::EntryClass::kHorizon;
  }
  AFTERSHOCK_ASSERT(false && "every kind has a class");
}

}  // namespace aftershock::sim::core
