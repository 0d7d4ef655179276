#pragma once

#include <span>
#include <string_view>

#include "policies/api/ids.h"

namespace aftershock::policies::ray_train {

/// What one version of Ray Train V2 does differently from another. A member stands here once two
/// versions differ in it, or once a default must be found in one place.
struct Profile {
  std::string_view name;         ///< the month of the source that it follows
  std::string_view ray_version;  ///< what that source calls itself in a snapshot
  std::string_view summary;
  DurationUs health_check_interval_us = 0;
  DurationUs worker_health_check_timeout_us = 0;
  DurationUs worker_group_start_timeout_us = 0;
  DurationUs shutdown_grace_us = 0;  ///< patience with shutdown hooks of all workers together
};

/// Known profiles, default first.
std::span<const Profile> profiles();

/// The profile of that name, the default for an empty name, null for an unknown one.
const Profile* find_profile(std::string_view name);

}  // namespace aftershock::policies::ray_train
