#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/ray_tune/failure.h"
#include "policies/ray_tune/profile.h"
#include "policies/ray_tune/snapshot_clock.h"

namespace aftershock::policies::ray_tune {

/// Which trials of a stored experiment are taken up again: Tuner.restore and the `resume` of
/// tune.run.
struct ResumeOptions {
  bool unfinished = true;
  bool errored = false;          ///< with their checkpoints and their counts
  bool restart_errored = false;  ///< as new trials; `errored` beats it
};

/// When a driver takes up what is stored under its run's name.
enum class RestoreWhen : std::uint8_t {
  kNever,       ///< Tuner(...).fit(): always a new experiment
  kCanRestore,  ///< if there is something to take up
  kAlways,      ///< Tuner.restore(...): an error if there is nothing
};

/// The options that a driver hands to Tuner.restore.
struct RestoreOptions {
  RestoreWhen when = RestoreWhen::kNever;
  ResumeOptions resume{};
  std::optional<std::string> trainable{};                 ///< none: the experiment's own
  std::optional<std::vector<std::string>> param_space{};  ///< keys given anew, sorted
  bool object_refs_given_anew = false;
};

/// FailureConfig and what the environment says of failures.
struct FailureSettings {
  std::int64_t max_failures = 0;  ///< of each trial; any negative number means unlimited
  FailFast fail_fast = FailFast::kOff;
  FailureRules rules{};
};

/// A checked configuration: RunConfig, TuneConfig, Tuner.restore and the environment of one driver.
struct Config {
  FailureSettings failure{};
  std::optional<std::uint32_t> num_to_keep{};            ///< checkpoints of each trial; none: all
  std::optional<std::uint32_t> max_concurrent_trials{};  ///< none: as many as there are
  std::optional<std::uint32_t> max_pending_trials{};     ///< none: as many as there are
  SnapshotTiming snapshots{};
  DurationUs cleanup_us = 600 * kSecondUs;  ///< patience with an actor that is to stop
  std::string trainable{};                  ///< name under which it is registered
  std::vector<std::string> param_space{};   ///< keys, sorted
  std::vector<std::string> object_refs{};  ///< of these, whose values refer to objects of a session
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

/// Builds the policy of a request whose name is "ray_tune".
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

}  // namespace aftershock::policies::ray_tune
