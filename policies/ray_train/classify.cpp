#include "policies/ray_train/classify.h"

namespace aftershock::policies::ray_train {

StartError start_error(const AttemptStartFailed& failed) {
  if (failed.why == StartFailure::kInfeasible) {
    return StartError::kInsufficientCluster;
  }
  if (failed.why == StartFailure::kError || failed.stage == StartStage::kLaunch) {
    return StartError::kNotRetryable;
  }
  if (failed.why == StartFailure::kWorkerDied) {
    return StartError::kStartupFailed;
  }
  // Ray's own limit covers the wait for resources only. A failure at a limit within the backend's
  // set-up is an exception of that backend, not a start-up error.
  switch (failed.stage) {
    case StartStage::kClusterCheck:
    case StartStage::kPlacement:
      return StartError::kStartupTimeout;
    case StartStage::kBackendSetup:
      return StartError::kNotRetryable;
    default:
      return StartError::kStartupFailed;
  }
}

Leftovers left_by(StartStage stage) {
  switch (stage) {
    case StartStage::kClusterCheck:
    case StartStage::kPlacement:
      return Leftovers::kNothing;
    case StartStage::kConstruction:
    case StartStage::kContextInit:
      return Leftovers::kReleased;
    default:
      return Leftovers::kLost;
  }
}

ErrorClass error_class(StartError error) {
  const bool retryable =
      error == StartError::kStartupTimeout || error == StartError::kStartupFailed;
  return retryable ? ErrorClass::kRetryableController : ErrorClass::kOtherController;
}

ErrorClass error_class(const ControllerError& error) {
  if (error.error == "WorkerGroupStartupFailedError" ||
      error.error == "WorkerGroupStartupTimeoutError") {
    return ErrorClass::kRetryableController;
  }
  return error.error == "WorkerGroupError" ? ErrorClass::kWorkerGroup
                                           : ErrorClass::kOtherController;
}

ChargeCause charge_cause(const WorkersFailed& failed) {
  if (failed.preempted) {
    return ChargeCause::kPreemption;
  }
  const bool node =
      failed.kind == WorkerFailure::kNodeLost || failed.kind == WorkerFailure::kAcceleratorFault;
  return node ? ChargeCause::kNode : ChargeCause::kApplication;
}

ChargeCause stronger_cause(ChargeCause left, ChargeCause right) {
  for (const ChargeCause cause : {ChargeCause::kPreemption, ChargeCause::kNode}) {
    if (left == cause || right == cause) {
      return cause;
    }
  }
  return left;
}

}  // namespace aftershock::policies::ray_train
