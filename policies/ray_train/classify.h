#pragma once

#include <cstdint>

#include "policies/api/decision.h"
#include "policies/api/events.h"
#include "policies/ray_train/failure_policy.h"

namespace aftershock::policies::ray_train {

/// The error that Ray would make of a failed start.
enum class StartError : std::uint8_t {
  kStartupTimeout,       ///< WorkerGroupStartupTimeoutError
  kStartupFailed,        ///< WorkerGroupStartupFailedError
  kInsufficientCluster,  ///< InsufficientClusterResourcesError
  kNotRetryable,         ///< a bare actor death at the launch call, or another exception
};

/// Ray Train V2, worker_group/worker_group.py: which stage turns what into which error.
StartError start_error(const AttemptStartFailed& failed);

/// The resources that a group that failed to start has left behind.
enum class Leftovers : std::uint8_t {
  kNothing,   ///< it had nothing yet, or that is released already
  kReleased,  ///< workers, which the failed start itself kills
  kLost,      ///< workers and their reservation, and nobody will release them
};

/// Ray Train V2, worker_group/worker_group.py: the group counts as started before the backend is
/// set up, and from then on a start that fails is not cleaned up after.
Leftovers left_by(StartStage stage);

/// Which class of the failure policy a failed start is: only the first two may be retried.
ErrorClass error_class(StartError error);

/// A controller error by the class name that Ray gave it: the two start-up errors are retryable,
/// what is a worker group error already stays one, all others are not retryable.
ErrorClass error_class(const ControllerError& error);

/// The cause of a failure of workers in the account of a budget. Ray itself does not ask.
ChargeCause charge_cause(const WorkersFailed& failed);

/// Of two causes seen in one poll, the one that explains the other: a preemption takes the node, a
/// lost node takes the processes.
ChargeCause stronger_cause(ChargeCause left, ChargeCause right);

}  // namespace aftershock::policies::ray_train
