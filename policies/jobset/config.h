#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/job/pod_controller.h"

namespace aftershock::policies::jobset {

/// The action that a rule of failurePolicy asks for.
enum class Action : std::uint8_t {
  kFailJobSet,
  kRestartJobSet,
  kRestartJobSetAndIgnoreMaxRestarts,
  kRestartJob,
  kRestartJobAndIgnoreMaxRestarts,
};

/// One rule of failurePolicy. An empty list matches everything.
struct Rule {
  std::string name{};
  Action action = Action::kRestartJobSet;
  std::vector<std::string> reasons{};   ///< onJobFailureReasons
  std::vector<std::string> patterns{};  ///< onJobFailureMessagePatterns, checked expressions
  std::vector<std::string> targets{};   ///< targetReplicatedJobs
};

/// How all Jobs are made anew. Recreate and BlockingRecreate are alike for a gang, which meets when
/// its last pod is there.
enum class Strategy : std::uint8_t { kRecreate, kBlockingRecreate, kInPlaceRestart };

/// failurePolicy.
struct FailurePolicy {
  std::int64_t max_restarts = 0;
  Strategy strategy = Strategy::kRecreate;
  std::vector<Rule> rules{};
};

/// A checked configuration.
struct Config {
  std::string object = "default/jobset";          ///< its name, with its namespace
  std::vector<job::Child> children{};             ///< Jobs, in the order of replicatedJobs
  std::optional<FailurePolicy> failure_policy{};  ///< none: the first failed Job ends it
  bool restart_job = false;                       ///< gate RestartJob
  bool in_place_restart = false;                  ///< gate InPlaceRestart
};

/// Builds the policy of a request whose name is "jobset". Its configuration is a JobSet's spec, by
/// itself or in the manifest that holds it.
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// The manifests that it takes.
inline constexpr std::array<ManifestKind, 1> kManifests{{{"jobset.x-k8s.io", "JobSet"}}};

/// The profiles, default first: the date of the code that is followed.
inline constexpr std::array<std::string_view, 1> kProfiles{"2026-08"};

}  // namespace aftershock::policies::jobset
