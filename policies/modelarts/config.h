#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"
#include "policies/api/severity.h"

namespace aftershock::policies::modelarts {

/// Where the user guide can be read in two ways: false is the reading that is the default, true its
/// alternative (modelarts.md 3). reading_options() has the words for them.
struct Readings {
  bool strict_run = false;               ///< A1
  bool heal_third_fault = false;         ///< A2
  bool history_per_schedule = false;     ///< A3
  bool count_kept = false;               ///< A4
  bool user_as_unconditional = false;    ///< A5
  bool user_faults_extended = false;     ///< A6
  bool same_exit_only = false;           ///< A7
  bool progress_resets = false;          ///< A8
  bool third_hang_ends = false;          ///< A10
  bool hangs_never_reset = false;        ///< A11
  bool pod_spends_both = false;          ///< A12
  bool schedule_counts_job = false;      ///< A13
  bool survivors_reset = false;          ///< A14
  bool second_fault_joins = false;       ///< A16
  bool failed_pod_needs_flag = false;    ///< A17
  bool unit_per_pod = false;             ///< A18
  bool no_pod_retry_keeps_node = false;  ///< A19
  bool released_after_48h = false;       ///< A26
  bool start_hangs_ignored = false;      ///< A30
  bool unhealed_user_kept = false;       ///< A32
};

/// One of these readings, as a setting.
struct ReadingOption {
  std::string_view name;         ///< of the setting
  std::string_view preset;       ///< word of the default reading
  std::string_view alternative;  ///< word of the other one
  std::string_view words;        ///< both, as a type is written
  std::string_view meaning;      ///< their words, and which of A1 to A34 it is
  bool Readings::* member;
};

/// All of them, in the order of modelarts.md 3.
const std::array<ReadingOption, 20>& reading_options();

/// A checked configuration: the job's annotations and environment, and how the guide is read.
struct Config {
  std::optional<std::uint32_t> job_retry_num{};  ///< none: automatic restart is off
  std::uint32_t pod_retry_num = 0;               ///< 0: no pod rescheduling
  bool unconditional = false;
  bool hang_retry = false;
  Readings readings{};
  DurationUs correlation_us = 30 * kSecondUs;                   ///< A20
  std::optional<DurationUs> queue_limit_us = 1800 * kSecondUs;  ///< A22; none: no limit
  DurationUs hang_poll_us = 60 * kSecondUs;                     ///< the platform looks so often
  DurationUs hang_after_us = 1800 * kSecondUs;                  ///< MA_HANG_DETECT_TIME
  std::optional<DurationUs> unmount_async_after_us{};           ///< none: volumes are waited for
  std::map<std::string, Severity> severities{};                 ///< A34, by code
};

/// The result of reading a configuration.
struct ConfigReading {
  Config config;
  std::vector<ConfigIssue> errors;  ///< `config` means nothing when there are any
  std::vector<ConfigIssue> warnings;
  std::vector<ConfigIssue> unread;                 ///< see ConfiguredPolicy
  std::map<std::string, std::string> annotations;  ///< where each that was read is, as a pointer
};

/// Reads configuration and environment (modelarts.md 2.1, 2.2). The configuration is the job's
/// annotations, by themselves or in the request body that ModelArts takes, and settings of ours.
ConfigReading read_config(const PolicyRequest& request);

/// The terms of the configuration, to which a check holds the policy.
PodTerms terms_of(const Config& config);

/// Builds the policy of a request whose name is "modelarts".
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// The profiles, default first: the edition of the user guide that is followed.
inline constexpr std::array<std::string_view, 1> kProfiles{"2026-08"};

}  // namespace aftershock::policies::modelarts
