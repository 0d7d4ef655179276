#include "policies/ray_tune/failure.h"

#include <algorithm>
#include <array>

namespace aftershock::policies::ray_tune {

bool is_actor_death(const TrialFailure& failure) {
  constexpr std::array<std::string_view, 3> kErrors{"RayActorError", "ActorDiedError",
                                                    "ActorUnavailableError"};
  switch (failure.kind) {
    case WorkerFailure::kExit:
    case WorkerFailure::kOutOfMemory:
    case WorkerFailure::kNodeLost:
    case WorkerFailure::kAcceleratorFault:
      return true;
    case WorkerFailure::kException:
    case WorkerFailure::kCollectiveTimeout:
      break;
  }
  return std::find(kErrors.begin(), kErrors.end(), failure.error) != kErrors.end();
}

Counted count_failure(const FailureRules& rules, const TrialFailure& failure,
                      FailureCounts& counts) {
  if (failure.restoring) {
    if (counts.restore_failures >= rules.restore_retries) {
      ++counts.num_failures;
      return Counted::kCountedRestore;
    }
    ++counts.restore_failures;
    return Counted::kFreeRestore;
  }
  if (is_actor_death(failure) && failure.preempted && !rules.count_preemption) {
    return Counted::kFreePreemption;
  }
  ++counts.num_failures;
  return Counted::kCounted;
}

bool may_recover(const FailureCounts& counts, std::int64_t max_failures) {
  return max_failures < 0 || counts.num_failures <= max_failures;
}

std::optional<std::int64_t> failure_limit(std::int64_t max_failures) {
  return max_failures < 0 ? std::nullopt : std::optional(max_failures);
}

ChargeCause charge_cause(const TrialFailure& failure) {
  if (failure.preempted) {
    return ChargeCause::kPreemption;
  }
  if (failure.kind == WorkerFailure::kNodeLost ||
      failure.kind == WorkerFailure::kAcceleratorFault) {
    return ChargeCause::kNode;
  }
  return failure.restoring ? ChargeCause::kStorage : ChargeCause::kApplication;
}

}  // namespace aftershock::policies::ray_tune
