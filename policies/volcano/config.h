#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/parts/configured.h"

namespace aftershock::policies::volcano {

/// The event that a policy of a job answers.
enum class Happening : std::uint8_t {
  kPodFailed,
  kPodEvicted,
  kPodPending,
  kUnknown,
  kTaskCompleted,
  kTaskFailed,
  kJobUpdated,
  kAny,
};

/// The action that it answers with.
enum class Action : std::uint8_t {
  kSyncJob,  ///< as ResumeJob is, where nothing was aborted
  kAbortJob,
  kRestartJob,
  kRestartTask,
  kRestartPod,
  kRestartPartition,
  kTerminateJob,
  kCompleteJob,
};

/// One entry of `policies`: events, or an exit code, and an action.
struct Answer {
  std::vector<Happening> events{};
  std::optional<std::int32_t> exit_code{};
  Action action = Action::kSyncJob;
  std::optional<DurationUs> timeout_us{};  ///< the action waits for so long
};

/// One entry of `tasks`.
struct Task {
  std::string name{};
  std::uint32_t replicas = 1;
  std::optional<std::uint32_t> min_available{};  ///< pods that must succeed; none: all
  std::uint32_t partition_size = 0;              ///< pods of a partition; 0: no partitions
  std::vector<Answer> policies{};
};

/// A checked configuration: what a Volcano job says of how it is recovered.
struct Config {
  std::uint32_t max_retry = 3;
  std::optional<std::uint32_t> min_available{};  ///< pods; none: all
  std::uint32_t ranks_per_pod = 1;
  std::vector<Answer> policies{};
  std::vector<Task> tasks{};  ///< in the order of ranks; what is left over belongs to the last
  DurationUs toleration_us = 300 * kSecondUs;
  DurationUs grace_us = 30 * kSecondUs;  ///< of a pod that is deleted
};

/// The result of reading a configuration.
using ConfigReading = Reading<Config>;

/// Reads the configuration (modelarts.md 8.3). The environment has nothing that
/// is read.
ConfigReading read_config(const PolicyRequest& request);

/// The settings, as `policies show` prints them.
std::vector<Parameter> parameters();

/// Builds the policy of a request whose name is "volcano".
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// The manifests that it takes.
inline constexpr std::array<ManifestKind, 1> kManifests{{{"batch.volcano.sh", "Job"}}};

/// The profiles, default first: whose Volcano is followed.
inline constexpr std::array<std::string_view, 1> kProfiles{"2026-08"};

}  // namespace aftershock::policies::volcano
