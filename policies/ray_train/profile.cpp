#include "policies/ray_train/profile.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace aftershock::policies::ray_train {
namespace {

constexpr Profile of_2026_05() {
  return {.version = Version::k202605,
          .name = "2026-05",
          .ray_version = "3.0.0.dev0",
          .summary =
              "Ray Train V2 as of May 2026: fixed or elastic scaling, replica groups, "
              "preemptions charged like any failure",
          .retry_word = "RETRY",
          .health_check_interval_us = 2 * kSecondUs,
          .worker_health_check_timeout_us = 600 * kSecondUs,
          .worker_group_start_timeout_us = 60 * kSecondUs,
          .shutdown_grace_us = 5 * kSecondUs};
}

constexpr Profile of_2026_09() {
  Profile profile = of_2026_05();
  profile.version = Version::k202609;
  profile.name = "2026-09";
  profile.summary =
      "Ray Train V2 as of September 2026: preemptions are watched for and have a state and a "
      "budget of their own";
  profile.handles_preemption = true;
  return profile;
}

constexpr Profile of_2026_11() {
  Profile profile = of_2026_09();
  profile.version = Version::k202611;
  profile.name = "2026-11";
  profile.ray_version = "2.60.0";
  profile.summary =
      "Ray Train V2 as installed with Ray 2.60: a notice is looked at before the errors of its "
      "poll, and workers that survive a preemption may have longer";
  profile.snapshot_form = SnapshotForm::kValidated;
  profile.latest_is_listed = true;
  profile.shows_again = true;
  profile.notice_goes_first = true;
  profile.polls_go_on = true;
  profile.abort_waits = true;
  profile.dies_of_its_snapshot = true;
  return profile;
}

// Read in 2.55.1 as installed, and held to it: its control loop is that of 2.54, too.
constexpr Profile of_2_55() {
  Profile profile = of_2026_05();
  profile.version = Version::k255;
  profile.name = "2.55";
  profile.ray_version = "2.55.1";
  profile.summary =
      "Ray Train V2 from February to April 2026: elastic scaling, no replica groups, and an error "
      "outside of a start and a poll ends the controller where it is";
  profile.catches_own_errors = false;
  profile.wraps_worker_errors = true;
  profile.latest_is_listed = true;
  profile.shows_again = true;
  profile.polls_go_on = true;
  profile.abort_waits = true;
  profile.dies_of_its_snapshot = true;
  return profile;
}

// Read in sources of 2025-08-25 and 2025-03-11; held to 2.49.2 and 2.43.0 as installed.
constexpr Profile of_2_49() {
  Profile profile = of_2026_05();
  profile.version = Version::k249;
  profile.name = "2.49";
  profile.ray_version = "2.49.0";
  profile.summary =
      "Ray Train V2 as of August 2025: a budget for failed starts, a check against the cluster's "
      "maximum, aborts on interrupt";
  profile.worker_group_start_timeout_us = 30 * kSecondUs;
  profile.report_barrier_timeout_us = 1800 * kSecondUs;
  profile.snapshot_form = SnapshotForm::kVersionZero;
  profile.v2_by_default = false;
  profile.shows_again = true;
  profile.polls_go_on = true;
  profile.abort_waits = true;
  profile.abort_stops_group = false;
  profile.dies_of_its_snapshot = true;
  profile.catches_own_errors = false;
  profile.catches_poll_errors = false;
  profile.has_shutting_down = false;
  profile.notices_missing_checkpoints = false;
  return profile;
}

constexpr Profile of_2_43() {
  Profile profile = of_2_49();
  profile.version = Version::k243;
  profile.name = "2.43";
  profile.ray_version = "2.43.0";
  profile.summary =
      "The first public Ray Train V2, March 2025: failed starts are retried for ever, and what "
      "goes wrong in the controller ends the run at once";
  profile.retry_word = "RESTART";
  profile.limits_start_failures = false;
  profile.checks_cluster_maximum = false;
  profile.aborts_on_interrupt = false;
  profile.abort_waits = false;
  return profile;
}

constexpr std::array<Profile, 6> kProfiles{of_2026_05(), of_2_43(),    of_2_49(),
                                           of_2_55(),    of_2026_09(), of_2026_11()};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

const Profile* find_profile(std::string_view name) {
  if (name.empty()) {
    return kProfiles.data();
  }
  for (const Profile& profile : kProfiles) {
    if (profile.name == name) {
      return &profile;
    }
  }
  return nullptr;
}

std::string names_of(Versions versions) {
  std::array<const Profile*, kProfiles.size()> oldest_first{};
  std::transform(kProfiles.begin(), kProfiles.end(), oldest_first.begin(),
                 [](const Profile& profile) { return &profile; });
  std::sort(
      oldest_first.begin(), oldest_first.end(),
      [](const Profile* left, const Profile* right) { return left->version < right->version; });
  std::string names;
  for (const Profile* profile : oldest_first) {
    if (versions.contains(profile->version)) {
      names += names.empty() ? "" : ", ";
      names += profile->name;
    }
  }
  return names;
}

bool v2_enabled(const Profile& profile, const std::map<std::string, std::string>& env) {
  const auto found = env.find("RAY_TRAIN_V2_ENABLED");
  if (found == env.end()) {
    return profile.v2_by_default;
  }
  std::string value = found->second;
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (value == "1" || value == "true") {
    return true;
  }
  return value == "0" || value == "false" ? false : profile.v2_by_default;
}

}  // namespace aftershock::policies::ray_train
