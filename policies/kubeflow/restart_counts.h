#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "policies/api/fields.h"
#include "policies/kubeflow/config.h"

// Restarts and failures of pods by backoffLimit, as the training operator V1 (1.8.1) decides them
// (modelarts.md 8.3). It counts what the status of the pods says, and remembers nothing itself.
namespace aftershock::policies::kubeflow {

/// The operator's view of a pod.
struct SeenPod {
  RestartPolicy policy = RestartPolicy::kOnFailure;
  bool runs = true;            ///< its phase is Running
  std::uint32_t restarts = 0;  ///< of its containers
};

/// How many restarts do not fail a job yet; none: any number. As many as the limit fail it.
inline std::optional<std::int64_t> restarts_allowed(std::optional<std::uint32_t> limit) {
  return limit ? std::optional(std::max<std::int64_t>(1, *limit) - 1) : std::nullopt;
}

/// Whether the restarts of these pods' containers fail a job (pkg/core/job.go, PastBackoffLimit).
/// Only those of pods that run count, and none under Never.
inline bool past_backoff_limit(std::optional<std::uint32_t> limit, std::span<const SeenPod> pods) {
  std::int64_t restarts = 0;
  for (const SeenPod& pod : pods) {
    restarts += pod.runs && pod.policy != RestartPolicy::kNever ? pod.restarts : 0;
  }
  return limit && restarts > *restarts_allowed(limit);
}

/// A pod that has Failed as a whole, by its meaning for the job.
enum class FailedPod : std::uint8_t { kMadeAnew, kPermanent, kNeverRestarts, kBackoffLimit };

/// With a limit of 0 the first pod that failed fails the job, by whatever code and also while it is
/// being deleted (pkg/controller.v1/common/job.go, ReconcileJobs); otherwise its restartPolicy
/// decides (pod.go, ReconcilePods). A pod without an exit code is made anew as by a retryable one.
inline FailedPod judge_failed_pod(std::optional<std::uint32_t> limit, RestartPolicy policy,
                                  std::optional<std::int32_t> exit_code) {
  constexpr std::int32_t kLeastRetryable = 128;
  if (limit == 0U) {
    return FailedPod::kBackoffLimit;
  }
  if (policy == RestartPolicy::kNever) {
    return FailedPod::kNeverRestarts;
  }
  const bool permanent =
      policy == RestartPolicy::kExitCode && exit_code.has_value() && *exit_code < kLeastRetryable;
  return permanent ? FailedPod::kPermanent : FailedPod::kMadeAnew;
}

/// The restarts of a job's containers: all that there have been, and those in the status of the
/// pods that there are. A pod that is made anew begins with none.
struct RestartCounts {
  std::vector<std::uint32_t> of_pods{};  ///< by pod; those that never restarted may be missing
  std::int64_t total = 0;

  /// Counts one restart of a container of the pod.
  void restarted(std::size_t pod) {
    of_pods.resize(std::max(of_pods.size(), pod + 1));
    ++of_pods[pod];
    ++total;
  }

  static constexpr auto fields(auto list) {
    return list(field("of_pods", &RestartCounts::of_pods), field("total", &RestartCounts::total));
  }
};

}  // namespace aftershock::policies::kubeflow
