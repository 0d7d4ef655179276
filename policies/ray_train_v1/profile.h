#pragma once

#include <span>
#include <string_view>

namespace aftershock::policies::ray_train_v1 {

/// A version of Ray whose Train V1 is followed. The two differ in where the code is found and in
/// how Tune treats failed restores (#48532), which a trainer, who leaves the loading of checkpoints
/// to the training function, never meets.
struct Profile {
  std::string_view name;
  std::string_view summary;
};

/// Known profiles, default first.
std::span<const Profile> profiles();

/// The profile of that name, the default for an empty name, null for an unknown one.
const Profile* find_profile(std::string_view name);

}  // namespace aftershock::policies::ray_train_v1
