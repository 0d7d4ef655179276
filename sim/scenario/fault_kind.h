#pragma once

#include <cstddef>
#include <cstdint>

namespace aftershock::sim::scenario {

/// The kinds of the catalogue; see fault_catalogue.h.
enum class FaultKind : std::uint8_t {
  kNodeCrash,
  kPreemption,
  kPartition,
  kWorkerCrash,
  kAcceleratorFault,
  kHang,
  kHeadCrash,
  kHostOom,
  kFullDisk,
  kUserInterrupt,
  kTornSnapshot,
  kUploadError,
  kDivergentReport,
  kHookError,
  kUnsharedStorage,
  kObjectStoreFull,
  kDeletedCheckpoint,
  kUnwritableSnapshot,
  kCorrectedEccStorm,
  kOneWayPartition,
  kHeadWorkerPartition,
  kWorkerStoragePartition,
  kLinkFlap,
  kStorageOutage,
  kSlowStorage,
  kTornCheckpoint,
  kCorruptCheckpoint,
  kStaleMessage,
  kDuplicateMessage,
  kStraggler,
  kClusterOutage,
  kBadReplacement,
  kCapacityDenial,
  kLemonNode,
  kFalseAlarm,
  kPolicyCrash,
};
/// How many there are.
inline constexpr std::size_t kFaultKinds = 36;

}  // namespace aftershock::sim::scenario
