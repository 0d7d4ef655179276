#include "policies/ray_train/failure_policy.h"

namespace aftershock::policies::ray_train {
namespace {

Ruling charge(RetryBudget& budget, Budget name) {
  const bool exhausted = budget.charge();
  return {exhausted ? Verdict::kRaise : Verdict::kRetry, name, budget.used, budget.limit()};
}

}  // namespace

Ruling rule_on(FailureCounters& counters, ErrorClass error) {
  switch (error) {
    case ErrorClass::kWorkerGroup:
      return charge(counters.worker_group, Budget::kMaxFailures);
    case ErrorClass::kRetryableController:
      return charge(counters.controller, Budget::kControllerFailureLimit);
    case ErrorClass::kPreemption:
      return charge(counters.preemption, Budget::kMaxPreemptionFailures);
    case ErrorClass::kOtherController:
      break;
  }
  return {};
}

}  // namespace aftershock::policies::ray_train
