#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/ids.h"
#include "policies/ray_train/profile.h"

namespace aftershock::policies::ray_train {

/// A checked configuration: FailureConfig, CheckpointConfig and the environment of one job.
struct Config {
  std::int64_t max_failures = 0;
  std::int64_t controller_failure_limit = -1;
  std::optional<std::uint32_t> num_to_keep;  ///< none: all
  DurationUs health_check_interval_us = 0;
  DurationUs worker_health_check_timeout_us = 0;
  DurationUs worker_group_start_timeout_us = 0;
};

/// What came of reading a configuration.
struct ConfigReading {
  Config config;
  std::vector<ConfigIssue> errors;  ///< `config` means nothing when there are any
  std::vector<ConfigIssue> warnings;
};

/// Reads configuration and environment over the profile's defaults; the environment wins.
ConfigReading read_config(const PolicyRequest& request, const Profile& profile);

/// Builds the policy of a request whose name is "ray_train".
MakeResult make(const PolicyRequest& request);

}  // namespace aftershock::policies::ray_train
