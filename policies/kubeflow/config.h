#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/parts/configured.h"

namespace aftershock::policies::kubeflow {

/// restartPolicy of the replicas.
enum class RestartPolicy : std::uint8_t { kOnFailure, kAlways, kNever, kExitCode };

/// elasticPolicy: torchrun in every pod.
struct ElasticPolicy {
  std::uint32_t max_restarts = 0;
  std::optional<std::uint32_t> min_replicas{};  ///< none: all
};

/// Pods of one role, such as Master or Worker.
struct Role {
  std::uint32_t pods = 1;
  RestartPolicy restart_policy = RestartPolicy::kOnFailure;
};

/// A checked configuration: what a PyTorchJob says of how it is recovered.
struct Config {
  RestartPolicy restart_policy = RestartPolicy::kOnFailure;  ///< of pods that have no role
  std::vector<Role> roles{};                     ///< in the order of ranks: the Master has rank 0
  std::optional<std::uint32_t> backoff_limit{};  ///< none: no limit
  std::optional<DurationUs> active_deadline_us{};
  std::optional<ElasticPolicy> elastic{};
  std::uint32_t nproc_per_node = 1;
  DurationUs toleration_us = 300 * kSecondUs;
  DurationUs grace_us = 30 * kSecondUs;  ///< of a pod that is deleted
};

/// The restartPolicy of a pod by its place among all.
[[nodiscard]] RestartPolicy restart_policy_of(const Config& config, std::size_t pod);

/// The result of reading a configuration.
using ConfigReading = Reading<Config>;

/// Reads the configuration (modelarts.md 8.3). The environment has nothing that is read.
ConfigReading read_config(const PolicyRequest& request);

/// The settings, as `policies show` prints them.
std::vector<Parameter> parameters();

/// Builds the policy of a request whose name is "kubeflow".
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// The manifests that it takes.
inline constexpr std::array<ManifestKind, 1> kManifests{{{"kubeflow.org", "PyTorchJob"}}};

/// The profiles, default first: training-operator V1, as it was last.
inline constexpr std::array<std::string_view, 1> kProfiles{"2025-07"};

}  // namespace aftershock::policies::kubeflow
