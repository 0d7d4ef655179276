#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"

namespace aftershock::policies::mindcluster {

/// fault-scheduling: whether whole jobs are rescheduled, and how their pods go.
enum class Scheduling : std::uint8_t { kOff, kGrace, kForce };

/// subHealthyStrategy: what is done about a chip that is degraded.
enum class SubHealthy : std::uint8_t { kIgnore, kGraceExit, kForceExit, kHotSwitch };

/// recover-strategy: steps of the ladder that keep the job's pods, in the order of the ladder.
enum class Recover : std::uint8_t { kRetry, kInPlace, kRecover, kDump, kExit };

/// A checked configuration: labels and annotations of the job, and settings of ClusterD.
struct Config {
  Scheduling scheduling = Scheduling::kOff;
  bool pod_rescheduling = false;
  std::vector<Recover> recover{};
  std::uint32_t fault_retry_times = 0;           ///< 0: exits are not recovered
  std::optional<std::uint32_t> backoff_limit{};  ///< none: no limit
  DurationUs grace_over_us = 900 * kSecondUs;
  DurationUs wait_reschedule_us = 270 * kSecondUs;
  SubHealthy sub_healthy = SubHealthy::kIgnore;
  bool separates_manually = true;
  DurationUs fault_window_us = 24 * 3600 * kSecondUs;
  std::uint32_t fault_threshold = 3;
  std::optional<DurationUs> fault_free_us = 48 * 3600 * kSecondUs;  ///< none: never released
};

/// Builds the policy of a request whose name is "mindcluster": from settings by their names, or
/// from a manifest that has them as labels and annotations.
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// The manifests that it takes, for their labels and annotations.
inline constexpr std::array<ManifestKind, 2> kManifests{
    {{"mindxdl.gitee.com", "AscendJob"}, {"batch.volcano.sh", "Job"}}};

/// The profiles, default first: the date of the commit that is followed.
inline constexpr std::array<std::string_view, 1> kProfiles{"2026-08"};

}  // namespace aftershock::policies::mindcluster
