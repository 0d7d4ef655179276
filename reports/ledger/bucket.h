#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace aftershock::reports {

/// Where a job's time goes (design.md 5); every instant of a job is in exactly one.
enum class Bucket : std::uint8_t {
  kProductive,
  kRolledBack,
  kStraggling,
  kCheckpointBlocking,
  kUndetected,
  kDeciding,
  kDraining,
  kSelfHealing,
  kTearingDown,
  kBackingOff,
  kWaitingForCapacity,
  kProvisioning,
  kLaunching,
  kRendezvous,
  kRestoring,
  kWarmingUp,
  kFinalizing,
  kControllerDown,
  kPaused,
};

inline constexpr std::size_t kBucketCount = 19;
inline constexpr std::array<std::string_view, kBucketCount> kBucketNames{"productive",
                                                                         "rolled_back",
                                                                         "straggling",
                                                                         "checkpoint_blocking",
                                                                         "undetected",
                                                                         "deciding",
                                                                         "draining",
                                                                         "self_healing",
                                                                         "tearing_down",
                                                                         "backing_off",
                                                                         "waiting_for_capacity",
                                                                         "provisioning",
                                                                         "launching",
                                                                         "rendezvous",
                                                                         "restoring",
                                                                         "warming_up",
                                                                         "finalizing",
                                                                         "controller_down",
                                                                         "paused"};

/// Its place in whatever is kept by bucket.
constexpr std::size_t index_of(Bucket bucket) { return static_cast<std::size_t>(bucket); }
constexpr std::string_view name_of(Bucket bucket) { return kBucketNames[index_of(bucket)]; }

}  // namespace aftershock::reports
