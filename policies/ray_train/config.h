#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/api/ids.h"
#include "policies/ray_train/checkpoints.h"
#include "policies/ray_train/profile.h"

namespace aftershock::policies::ray_train {

/// ScalingConfig(num_workers): one size, or the least and the most of an elastic group.
struct WorkerCount {
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  bool elastic = false;
};

/// A checked configuration: FailureConfig, CheckpointConfig, ScalingConfig and the environment of
/// one job.
struct Config {
  std::int64_t max_failures = 0;
  std::int64_t controller_failure_limit = -1;
  std::int64_t max_preemption_failures = -1;
  bool relax_collectives_on_preemption = false;
  DurationUs preemption_grace_us = 0;
  std::optional<std::uint32_t> num_to_keep;  ///< none: all
  Scoring scoring;
  std::optional<WorkerCount> workers;  ///< none: what the job asks for
  DurationUs elastic_resize_monitor_interval_us = 60 * kSecondUs;
  bool replica_groups = false;
  DurationUs health_check_interval_us = 0;
  DurationUs worker_health_check_timeout_us = 0;
  DurationUs worker_group_start_timeout_us = 0;
  std::optional<DurationUs> report_barrier_timeout_us;  ///< none: without end
  bool preemption_watcher = true;
  DurationUs preemption_poll_interval_us = 5 * kSecondUs;
  bool nccl_hang_callback = false;
  DurationUs nccl_hang_poll_interval_us = 15 * kSecondUs;
  DurationUs nccl_hang_confirm_us = 600 * kSecondUs;
};

/// The result of reading a configuration.
struct ConfigReading {
  Config config;
  std::vector<ConfigIssue> errors;  ///< `config` means nothing when there are any
  std::vector<ConfigIssue> warnings;
};

/// Reads configuration and environment over the profile's defaults; the environment wins.
ConfigReading read_config(const PolicyRequest& request, const Profile& profile);

/// Whether this request, whose name is "ray_train", is one for Ray Train V1: RAY_TRAIN_V2_ENABLED
/// says so, or the profile's version where the job's environment is silent. False for a profile
/// that is not known.
bool asks_for_v1(const PolicyRequest& request);

/// Builds the policy of a request whose name is "ray_train" and that does not ask for V1.
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

}  // namespace aftershock::policies::ray_train
