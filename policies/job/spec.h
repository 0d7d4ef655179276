#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "policies/parts/manifest.h"

// The spec of a Kubernetes Job, as far as it says what becomes of pods that fail. A Job by itself
// and a Job of a JobSet have the same.
namespace aftershock::policies::job {

/// The action of a rule of podFailurePolicy on a pod that failed.
enum class PodAction : std::uint8_t { kFailJob, kFailIndex, kIgnore, kCount };

/// One rule of podFailurePolicy: by exit codes, or by the condition DisruptionTarget.
struct PodRule {
  PodAction action = PodAction::kCount;
  bool by_exit_code = false;
  bool not_in = false;  ///< the code is none of these, rather than one of them
  std::vector<std::int32_t> codes{};
};

/// The waits of the kubelet and the controller where the spec names none.
inline constexpr DurationUs kPodGraceUs = 30 * kSecondUs;
inline constexpr DurationUs kTolerationUs = 300 * kSecondUs;

/// A checked spec.
struct Spec {
  std::optional<std::uint32_t> completions{};  ///< pods; none: one for every worker
  bool indexed = false;
  std::int64_t backoff_limit = 6;
  std::optional<std::int64_t> backoff_limit_per_index{};
  std::optional<std::int64_t> max_failed_indexes{};
  std::optional<DurationUs> active_deadline_us{};
  std::vector<PodRule> pod_rules{};
  /// A pod that was deleted has failed when it is gone, and not before: podReplacementPolicy
  /// Failed, which podFailurePolicy implies (pkg/apis/batch/v1/defaults.go).
  bool replaces_failed_only = false;
  std::string container = "worker";  ///< of its pods, as messages name it
  DurationUs grace_us = kPodGraceUs;
  DurationUs toleration_us = kTolerationUs;  ///< pods stay so long on a node that is not reached
};

/// Reads the members of a spec at `pointer`; what is wrong or odd is added to `findings`. Where it
/// says nothing of its own, pods are numbered if `indexed`.
Spec read_spec(const std::string& pointer, const nlohmann::json& value, bool indexed,
               Findings& findings);

}  // namespace aftershock::policies::job
