#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

// The process that the closed forms speak of, as a loop over failures that knows nothing of the
// simulator: compute, save, fail, wait, restart. It is played on failures of its own, to confirm a
// formula, and on those of a run, which must then end at the same microsecond.
namespace aftershock::sim::validation {

struct Process {
  std::int64_t tau_us = 0;       ///< compute between saves
  std::int64_t save_us = 0;      ///< in which nothing is computed
  std::int64_t upload_us = 0;    ///< beside training, from the end of a save until it counts
  std::int64_t downtime_us = 0;  ///< after a failure: another one changes nothing
  std::int64_t restart_us = 0;   ///< after that: another one begins both again
  std::int64_t download_us = 0;  ///< longer than that where there is a save to go on from
  std::int64_t first_start_us = 0;
  std::int64_t segments = 0;  ///< until so many saves count; or, if 0,
  std::int64_t until_us = 0;  ///< until then, and what is not saved counts too

  // A controller that looks now and then, where poll_us is not 0: from the last `polled_us` of a
  // restart on, failures are seen and saves begin to count at its next look.
  std::int64_t poll_us = 0;
  std::int64_t polled_us = 0;

  [[nodiscard]] std::int64_t segment_us() const { return tau_us + save_us; }
};

struct Played {
  std::int64_t wall_us = 0;
  std::int64_t productive_us = 0;
  std::int64_t failures = 0;          ///< that changed something
  std::vector<std::int64_t> lost_us;  ///< work, of each that struck in training
};

constexpr std::int64_t kNoFailure = std::numeric_limits<std::int64_t>::max();

/// `next()` is the time of the next failure, kNoFailure when there is none.
template <class Next>
Played play(const Process& process, Next next) {
  Played played;
  const std::int64_t segment_us = process.segment_us();
  const auto seen_us = [&](std::int64_t anchor_us, std::int64_t at_us) {
    const std::int64_t poll_us = process.poll_us;
    return poll_us == 0 || at_us <= anchor_us
               ? std::max(anchor_us, at_us)
               : anchor_us + (at_us - anchor_us + poll_us - 1) / poll_us * poll_us;
  };
  const auto work_us = [&](std::int64_t trained_us) {
    return trained_us / segment_us * process.tau_us +
           std::min(trained_us % segment_us, process.tau_us);
  };
  std::int64_t saved = 0;        // segments
  std::int64_t done_us = 0;      // work, saved or not
  std::int64_t launched_us = 0;  // begin of the attempt
  std::int64_t start_us = process.first_start_us;
  std::int64_t failure_us = next();
  for (;;) {
    const std::int64_t training_us = launched_us + start_us;
    const std::int64_t running_us = training_us - std::min(start_us, process.polled_us);
    const std::int64_t end_us = process.segments > 0
                                    ? training_us + (process.segments - saved) * segment_us
                                    : process.until_us;
    if (failure_us >= running_us && end_us >= running_us) {
      done_us = saved * process.tau_us;  // goes on from what counts
    }
    const std::int64_t stop_us = std::min(failure_us, end_us);
    if (stop_us > training_us) {
      const std::int64_t trained_us = stop_us - training_us;
      done_us += work_us(trained_us);
      std::int64_t durable = std::max<std::int64_t>(0, trained_us - process.upload_us) / segment_us;
      while (durable > 0 && seen_us(running_us, training_us + durable * segment_us +
                                                    process.upload_us) >= failure_us) {
        --durable;
      }
      saved += durable;
    }
    if (failure_us >= end_us) {
      played.wall_us = end_us;
      played.productive_us = done_us;
      return played;
    }
    ++played.failures;
    if (failure_us >= training_us) {
      played.lost_us.push_back(done_us - saved * process.tau_us);
    }
    const std::int64_t over_us = failure_us + process.downtime_us;
    const std::int64_t decided_us =
        failure_us < running_us ? over_us : seen_us(running_us, over_us);
    if (process.segments == 0 && decided_us >= end_us) {
      played.wall_us = end_us;
      played.productive_us = done_us;
      return played;
    }
    failure_us = next();
    while (failure_us <= decided_us && failure_us != kNoFailure) {
      failure_us = next();
    }
    launched_us = decided_us;
    start_us = process.restart_us + (saved > 0 ? process.download_us : 0);
  }
}

}  // namespace aftershock::sim::validation
