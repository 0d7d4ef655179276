#pragma once

#include <cstdint>
#include <vector>

#include "policies/ray_tune/config.h"
#include "policies/ray_tune/trial.h"

namespace aftershock::policies::ray_tune {

/// The fate of a trial of a stored experiment that is restored.
enum class Resumed : std::uint8_t {
  kTerminatedKept,     ///< stays TERMINATED
  kErroredKept,        ///< stays ERROR
  kErroredResumed,     ///< PENDING, with its id, checkpoint and counts
  kErroredRestarted,   ///< a new trial takes its place
  kUnfinishedResumed,  ///< PENDING, with its id, checkpoint and counts
  kUnfinishedDropped,  ///< TERMINATED, even if it never ran
};
inline constexpr std::size_t kResumedCount = 6;

/// The result of Tuner.restore for a trial that the snapshot has in this status.
Resumed resumed(TrialStatus status, const ResumeOptions& options);

/// Does that to the trial; `session` is the new one. Restore failures were never stored.
void apply(Resumed what, std::uint32_t session, Trial& trial);

/// Numbers of the trials that are PENDING, in the order in which they are queued again: by the time
/// of their last result, newest first, those without any last.
std::vector<std::uint32_t> requeue_order(const std::vector<Trial>& trials);

}  // namespace aftershock::policies::ray_tune
