#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace aftershock::sim {

/// The activity of a job; one at a time, the phase of its slowest part (scenario.md decision 5).
enum class Phase : std::uint8_t {
  kTraining,
  kCheckpointing,
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
  kControllerDown,  ///< nobody decides: the head is gone, and no new driver runs yet
  kUploading,       ///< background track: triggers and spans only
  kCommitting,      ///< background track: triggers and spans only
  kCatchingUp,      ///< trigger only: from running until the high-water step
};

inline constexpr std::array<std::string_view, 19> kPhaseNames{
    "training",        "checkpointing", "undetected",
    "deciding",        "draining",      "self_healing",
    "tearing_down",    "backing_off",   "waiting_for_capacity",
    "provisioning",    "launching",     "rendezvous",
    "restoring",       "warming_up",    "finalizing",
    "controller_down", "uploading",     "committing",
    "catching_up"};

constexpr std::string_view name_of(Phase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

}  // namespace aftershock::sim
