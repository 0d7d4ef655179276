#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "policies/api/ids.h"

namespace aftershock::policies::ray_train {

/// Versions of Ray Train V2 that differ for us, oldest first.
enum class Version : std::uint8_t { k243, k249, k255, k202605, k202609, k202611 };

/// A set of versions: those that have a rule, a setting or a variable.
struct Versions {
  std::uint32_t bits = 0;  ///< one a version, the oldest lowest

  /// Whether the version is one of them.
  [[nodiscard]] constexpr bool contains(Version version) const {
    return ((bits >> static_cast<unsigned>(version)) & 1U) != 0;
  }
};

/// A run of versions, both ends included.
constexpr Versions between(Version first, Version last) {
  Versions run;
  for (auto at = static_cast<unsigned>(first); at <= static_cast<unsigned>(last); ++at) {
    run.bits |= 1U << at;
  }
  return run;
}

/// The versions of either set.
constexpr Versions operator|(Versions left, Versions right) { return {left.bits | right.bits}; }

inline constexpr Versions kEveryVersion = between(Version::k243, Version::k202611);
inline constexpr Versions kOnly243 = between(Version::k243, Version::k243);
inline constexpr Versions kOnly249 = between(Version::k249, Version::k249);
inline constexpr Versions kOnly255 = between(Version::k255, Version::k255);
inline constexpr Versions kOnly202609 = between(Version::k202609, Version::k202609);
inline constexpr Versions kOnly202611 = between(Version::k202611, Version::k202611);
inline constexpr Versions kUntil249 = between(Version::k243, Version::k249);
inline constexpr Versions kFrom249 = between(Version::k249, Version::k202611);
inline constexpr Versions kFrom255 = between(Version::k255, Version::k202611);
inline constexpr Versions kFrom202605 = between(Version::k202605, Version::k202611);
inline constexpr Versions kFrom202609 = between(Version::k202609, Version::k202611);

/// The form of checkpoint_manager_snapshot.json.
enum class SnapshotForm : std::uint8_t {
  kVersionZero,  ///< "version": 0, the list and the latest
  kIndexed,      ///< "ray_version", report indices and what waits for validation as well
  kValidated,    ///< those, and what timed out or failed at its validation
};

/// The differences of one version of Ray Train V2 from another. A member stands here once two
/// versions differ in it, or once a default must be found in one place.
struct Profile {
  Version version = Version::k202605;
  std::string_view name;         ///< the release, or the month of the source, that it follows
  std::string_view ray_version;  ///< that source's own name in a snapshot
  std::string_view summary;
  std::string_view retry_word;  ///< of FailureDecision, for another try
  DurationUs health_check_interval_us = 0;
  DurationUs worker_health_check_timeout_us = 0;
  DurationUs worker_group_start_timeout_us = 0;
  DurationUs shutdown_grace_us = 0;  ///< patience with shutdown hooks of all workers together
  /// Patience of a rank in report() with the others; none: without end.
  std::optional<DurationUs> report_barrier_timeout_us{};
  SnapshotForm snapshot_form = SnapshotForm::kIndexed;
  bool v2_by_default = true;          ///< without RAY_TRAIN_V2_ENABLED a trainer is a V2 trainer
  bool limits_start_failures = true;  ///< failed starts go to the failure policy, on a budget
  bool checks_cluster_maximum = true;
  bool catches_own_errors = true;  ///< an error inside the control loop goes to the failure policy
  /// So does one of a poll, or of a hook while nodes are waited for, where others end the
  /// controller.
  bool catches_poll_errors = true;
  bool wraps_worker_errors = false;  ///< a WorkerGroupError of a hook is an error of the controller
  bool has_shutting_down = true;     ///< the group is shut down before a terminal state is entered
  bool aborts_on_interrupt = true;
  bool notices_missing_checkpoints = true;
  /// The latest of a snapshot may be left out, and else has to be one of its list.
  bool latest_is_listed = false;
  bool handles_preemption = false;  ///< a state and a budget of its own for preemptions
  bool shows_again = false;         ///< a poll shows again what workers have shown before
  /// A poll looks for a notice before it looks for errors, and only a notice begins a drain.
  bool notice_goes_first = false;
  bool polls_go_on = false;  ///< an attempt's first poll keeps its interval to the last one before
  bool abort_waits = false;  ///< an interrupt waits until the control loop sleeps
  bool abort_stops_group = true;      ///< and the abort until the workers have been shut down
  bool dies_of_its_snapshot = false;  ///< in the constructor, before there is a state to enter
};

/// Known profiles, default first.
std::span<const Profile> profiles();

/// The profile of that name, the default for an empty name, null for an unknown one.
const Profile* find_profile(std::string_view name);

/// The names of those profiles that are among the versions, e.g. "2.43, 2.49".
std::string names_of(Versions versions);

/// Whether a job with this environment has a trainer of Ray Train V2 under the profile:
/// RAY_TRAIN_V2_ENABLED, or the version's default where that says nothing that Ray reads.
bool v2_enabled(const Profile& profile, const std::map<std::string, std::string>& env);

}  // namespace aftershock::policies::ray_train
