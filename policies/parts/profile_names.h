#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace aftershock::policies {

/// The names of a family's profiles, in their order.
template <class Profile>
std::vector<std::string_view> profile_names(std::span<const Profile> profiles) {
  std::vector<std::string_view> names;
  for (const Profile& profile : profiles) {
    names.push_back(profile.name);
  }
  return names;
}

}  // namespace aftershock::policies
