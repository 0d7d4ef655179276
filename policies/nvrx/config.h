#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/parts/configured.h"

namespace aftershock::policies::nvrx {

/// The wrapper around the training function: restarts within processes that live.
struct InProcess {
  DurationUs soft_timeout_us = 60 * kSecondUs;  ///< without progress: aborted and begun again
  DurationUs hard_timeout_us = 90 * kSecondUs;  ///< without progress: the process is killed
  DurationUs barrier_timeout_us = 120 * kSecondUs;
  /// Calls of the function in one process, the first included; none: no limit.
  std::optional<std::uint32_t> max_iterations{};
};

/// A checked configuration: ft_launcher, and the wrapper where there is one.
struct Config {
  std::optional<InProcess> in_process{};
  std::uint32_t max_restarts = 0;
  std::uint32_t max_no_progress_cycles = 3;  ///< 0: not looked at
  std::optional<DurationUs> rank_heartbeat_timeout_us{};
  DurationUs workload_check_us = 5 * kSecondUs;
  DurationUs health_check_us = 5 * kSecondUs;
  DurationUs monitor_interval_us = 300 * kMillisecondUs;
  DurationUs workers_stop_us = 15 * kSecondUs;
  DurationUs join_timeout_us = 300 * kSecondUs;  ///< LaunchConfig's, of both entries
  std::uint32_t nproc_per_node = 1;
  bool store_on_rank_0 = true;
  bool checkpoint_file = false;  ///< launchers read from one how far training has come
};

/// The result of reading a configuration.
using ConfigReading = Reading<Config>;

/// Reads the configuration (modelarts.md 8.2). The environment has nothing that is read.
ConfigReading read_config(const PolicyRequest& request);

/// The settings, as `policies show` prints them.
std::vector<Parameter> parameters();

/// Builds the policy of a request whose name is "nvrx".
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// The profiles, default first: the date of the code that is followed.
inline constexpr std::array<std::string_view, 1> kProfiles{"2026-08"};

}  // namespace aftershock::policies::nvrx
