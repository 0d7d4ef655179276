#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "sim/detection/poll_clock.h"
#include "sim/detection/rank_failure.h"

namespace aftershock::sim::detection {

/// The failures of an attempt as they show, and the looks that will see them.
struct Detection {
  std::vector<RankFailure> failures;
  /// Failures of ranks that wait while others are replaced: nobody looks until they go on.
  std::vector<RankFailure> late_failures;
  /// Ranks whose agent has ended apart from them: nobody looks at them, and no stop reaches them.
  policies::RankSet unwatched;
  bool start_failure_told = false;
  std::optional<policies::StartStage> start_stage;  ///< that the failing start had come to
  std::optional<std::int64_t> report_barrier_us;    ///< none: ranks wait for each other for ever

  // Polls: only those are played at which there is something to see.
  PollClock clock;
  std::optional<policies::PollWatch> watch;
  std::optional<std::int64_t> next_poll_us;
  std::uint32_t poll_epoch = 0;
  std::uint32_t report_slot = 0;  ///< checkpoint reported and not yet taken, 0: none
  std::int64_t report_visible_us = 0;
  std::uint32_t report_waiting = 0;  ///< behind the slot
  std::optional<std::int64_t> returned_visible_us;
  std::optional<std::uint32_t> progress;  ///< attempt whose first durable checkpoint is waited for

  std::optional<std::uint32_t> metrics;  ///< attempt whose steps polls tell of
  std::int64_t metrics_step = 0;         ///< told last, or that the attempt began at

  // Hangs, as those see them who look at activity and not at progress.
  std::optional<policies::HangWatch> hang;
  std::optional<std::int64_t> inactive_since_us;    ///< none: active, or nobody looks
  std::optional<std::int64_t> activity_timeout_us;  ///< the look at which that has lasted too long
  std::uint32_t activity_epoch = 0;                 ///< entries about an earlier look are stale
  bool alarmed = false;                             ///< they took it for a hang, and nothing hung
};

}  // namespace aftershock::sim::detection
