#pragma once

#include <span>
#include <string_view>

namespace aftershock::policies::ray_tune {

/// The differences of one version of Ray Tune from another.
struct Profile {
  std::string_view name;  ///< the month of the source that it follows, or its release
  std::string_view summary;
  /// A restore failure that counts deletes the trial's checkpoint reference, so that the next try
  /// begins from scratch (before #48532).
  bool restore_failure_wipes_checkpoint = false;
};

/// Known profiles, default first.
std::span<const Profile> profiles();

/// The profile of that name, the default for an empty name, null for an unknown one.
const Profile* find_profile(std::string_view name);

}  // namespace aftershock::policies::ray_tune
