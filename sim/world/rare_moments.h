#pragma once

#include <cstdint>

namespace aftershock::sim::world {

/// Rare moments that a run has been through, where only the moment itself shows it (chaos.md 5.5).
enum class RareMoment : std::uint8_t {
  kTwoWait,              ///< two wait for nodes of one pool
  kTimerTies,            ///< a policy's timer comes in the microsecond of what it waits for
  kHealsInTeardown,      ///< a partition heals while an attempt that it broke is stopped
  kGrewAgain,            ///< an attempt is larger than the one before, which was too small
  kTooSmall,             ///< there is less than the least size, and the policy waits
  kSavesWhileRestoring,  ///< an attempt that was given up writes while a later one reads
  kStopUnanswered,       ///< an attempt told to stop has ended, and nobody can know
  kStopUnheard,          ///< an attempt told to stop lives on, and nobody can know
  kBackoffCapped,        ///< a policy backs off for as long as it may
  kLateCapacity,         ///< nodes come for a job whose start was given up for want of them
};

/// Those of one run.
class RareMoments {
 public:
  /// The run has been through the moment.
  void add(RareMoment moment) { seen_ |= 1U << static_cast<std::uint32_t>(moment); }
  /// Whether the run has been through the moment.
  [[nodiscard]] bool has(RareMoment moment) const {
    return (seen_ & (1U << static_cast<std::uint32_t>(moment))) != 0;
  }

 private:
  std::uint32_t seen_ = 0;
};

}  // namespace aftershock::sim::world
