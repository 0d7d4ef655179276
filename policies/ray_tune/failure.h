#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "policies/api/decision.h"
#include "policies/api/worker_failure.h"

// How Tune counts the failures of one trial: experiment/trial.py, Trial.handle_error and
// Trial.should_recover.
namespace aftershock::policies::ray_tune {

/// FailureConfig.fail_fast.
enum class FailFast : std::uint8_t {
  kOff,
  kStop,   ///< the first failure of any trial stops all others
  kRaise,  ///< the first failure of any trial leaves the control loop as an exception
};

/// The rules by which a failure counts, for all trials of an experiment.
struct FailureRules {
  std::int64_t restore_retries = 0;  ///< TUNE_RESTORE_RETRY_NUM: restore failures that are free
  bool count_preemption = false;     ///< RAY_TRAIN_COUNT_PREEMPTION_AS_FAILURE
};

/// Failures of one trial.
struct FailureCounts {
  std::int64_t num_failures = 0;
  std::int64_t restore_failures = 0;  ///< since the last successful restore; memory only
};

/// One failure as the trial runner gets to see it.
struct TrialFailure {
  WorkerFailure kind = WorkerFailure::kException;
  bool preempted = false;
  bool restoring = false;
  std::string_view error{};  ///< class of the exception where there is one
  bool never_began = false;  ///< there was never a process
};

/// The count that a failure went to. The first test that applies decides, so that a preemption
/// while the trial restores is a restore failure.
enum class Counted : std::uint8_t {
  kCounted,
  kCountedRestore,  ///< a restore failure beyond the free ones
  kFreeRestore,
  kFreePreemption,
};

/// Whether the process is gone: it died, or the error that was raised is that of a dead actor.
bool is_actor_death(const TrialFailure& failure);

/// Counts one failure.
Counted count_failure(const FailureRules& rules, const TrialFailure& failure,
                      FailureCounts& counts);

/// Whether a running trial of these counts is tried again; any negative limit is none.
bool may_recover(const FailureCounts& counts, std::int64_t max_failures);

/// `max_failures` as a budget has it: none when unlimited.
std::optional<std::int64_t> failure_limit(std::int64_t max_failures);

/// The cause of a failure in the account of a budget.
ChargeCause charge_cause(const TrialFailure& failure);

}  // namespace aftershock::policies::ray_tune
