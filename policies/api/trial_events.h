#pragma once

#include <cstdint>
#include <string>

#include "policies/api/fields.h"
#include "policies/api/ids.h"
#include "policies/api/rank_set.h"
#include "policies/api/worker_failure.h"

// The events of trials that the controller of an experiment sees.
namespace aftershock::policies {

/// An experiment of `trials` trials was handed to the controller; their numbers count from zero.
struct ExperimentSubmitted {
  static constexpr std::string_view kName = "experiment_submitted";
  JobId job = 0;
  std::uint32_t trials = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &ExperimentSubmitted::job),
                field("trials", &ExperimentSubmitted::trials));
  }
};

/// The trial got its resources and its actor runs: Tune calls it RUNNING from here on. Where it
/// was started from a checkpoint it is restoring until trial_restored.
struct TrialStarted {
  static constexpr std::string_view kName = "trial_started";
  JobId job = 0;
  std::uint32_t trial = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &TrialStarted::job), field("trial", &TrialStarted::trial));
  }
};

/// The trial has loaded the checkpoint that it was started from.
struct TrialRestored {
  static constexpr std::string_view kName = "trial_restored";
  JobId job = 0;
  std::uint32_t trial = 0;
  static constexpr auto fields(auto list) {
    return list(field("job", &TrialRestored::job), field("trial", &TrialRestored::trial));
  }
};

/// The trial reported after its `iteration`-th training iteration, counted from 1 over all its
/// attempts. `checkpoint` is the one that came with it and is durable, 0: none. `done`: it has
/// returned from training, and its actor is ending.
struct TrialResult {
  static constexpr std::string_view kName = "trial_result";
  JobId job = 0;
  std::uint32_t trial = 0;
  std::uint32_t iteration = 0;
  CheckpointId checkpoint = 0;
  bool done = false;
  static constexpr auto fields(auto list) {
    return list(field("job", &TrialResult::job), field("trial", &TrialResult::trial),
                field("iteration", &TrialResult::iteration),
                field("checkpoint", &TrialResult::checkpoint), field("done", &TrialResult::done));
  }
};

/// Trials failed in the same way at the same moment, e.g. all those on a lost node. `restoring`:
/// they were loading their checkpoints.
struct TrialsFailed {
  static constexpr std::string_view kName = "trials_failed";
  JobId job = 0;
  RankSet trials{};
  WorkerFailure kind = WorkerFailure::kException;
  bool preempted = false;  ///< the node's death was announced as a preemption
  bool restoring = false;
  std::string error{};  ///< class of the exception where there is one
  static constexpr auto fields(auto list) {
    return list(field("job", &TrialsFailed::job), field("trials", &TrialsFailed::trials),
                field("kind", &TrialsFailed::kind), field("preempted", &TrialsFailed::preempted),
                field("restoring", &TrialsFailed::restoring), field("error", &TrialsFailed::error));
  }
};

/// The actors of these trials, which the policy had asked to stop, are gone.
struct TrialsStopped {
  static constexpr std::string_view kName = "trials_stopped";
  JobId job = 0;
  RankSet trials{};
  static constexpr auto fields(auto list) {
    return list(field("job", &TrialsStopped::job), field("trials", &TrialsStopped::trials));
  }
};

}  // namespace aftershock::policies
