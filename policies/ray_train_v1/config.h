#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/ray_tune/config.h"

namespace aftershock::policies::ray_train_v1 {

/// The options that a driver hands to Trainer.restore.
struct RestoreOptions {
  ray_tune::RestoreWhen when = ray_tune::RestoreWhen::kNever;
  std::optional<std::string> trainer{};    ///< class that restores; none: the same
  std::vector<std::string> datasets{};     ///< keys given anew, sorted
  std::optional<std::uint32_t> workers{};  ///< scaling_config.num_workers given anew
};

/// A checked configuration: Trainer(...), Trainer.restore and the environment of one driver.
struct Config {
  ray_tune::FailureSettings failure{};
  std::optional<std::uint32_t> num_to_keep{};  ///< none: all
  ray_tune::SnapshotTiming snapshots{};
  std::string trainer = "TorchTrainer";  ///< class
  std::vector<std::string> datasets{};   ///< keys, sorted
  RestoreOptions restore{};
};

/// The result of reading a configuration.
struct ConfigReading {
  Config config;
  std::vector<ConfigIssue> errors;  ///< `config` means nothing when there are any
  std::vector<ConfigIssue> warnings;
};

/// Reads configuration and environment; the environment wins.
ConfigReading read_config(const PolicyRequest& request);

/// Builds the policy of a request whose name is "ray_train_v1".
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

}  // namespace aftershock::policies::ray_train_v1
