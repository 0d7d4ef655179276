#include "policies/ray_tune/restore.h"

#include <algorithm>

namespace aftershock::policies::ray_tune {

Resumed resumed(TrialStatus status, const ResumeOptions& options) {
  switch (status) {
    case TrialStatus::kTerminated:
      return Resumed::kTerminatedKept;
    case TrialStatus::kError:
      if (options.errored) {
        return Resumed::kErroredResumed;
      }
      return options.restart_errored ? Resumed::kErroredRestarted : Resumed::kErroredKept;
    case TrialStatus::kPending:
    case TrialStatus::kRunning:
    case TrialStatus::kPaused:
      break;
  }
  return options.unfinished ? Resumed::kUnfinishedResumed : Resumed::kUnfinishedDropped;
}

void apply(Resumed what, std::uint32_t session, Trial& trial) {
  trial.counts.restore_failures = 0;
  switch (what) {
    case Resumed::kTerminatedKept:
    case Resumed::kErroredKept:
      return;
    case Resumed::kErroredResumed:
    case Resumed::kUnfinishedResumed:
      trial.status = TrialStatus::kPending;
      return;
    case Resumed::kUnfinishedDropped:
      trial.status = TrialStatus::kTerminated;
      return;
    case Resumed::kErroredRestarted: {
      const std::int64_t max_failures = trial.max_failures;
      trial = {.session = session, .max_failures = max_failures};
      return;
    }
  }
}

std::vector<std::uint32_t> requeue_order(const std::vector<Trial>& trials) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t number = 0; number < trials.size(); ++number) {
    if (trials[number].status == TrialStatus::kPending) {
      order.push_back(number);
    }
  }
  // An empty optional is less than any time.
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return trials[left].last_result_us > trials[right].last_result_us;
  });
  return order;
}

}  // namespace aftershock::policies::ray_tune
