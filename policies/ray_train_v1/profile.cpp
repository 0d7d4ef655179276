#include "policies/ray_train_v1/profile.h"

#include <algorithm>
#include <array>

namespace aftershock::policies::ray_train_v1 {
namespace {

constexpr std::array<Profile, 2> kProfiles{{
    {.name = "2.38", .summary = "Ray Train V1 of Ray 2.38: a Tune experiment of one trial"},
    {.name = "2026-05", .summary = "Ray Train V1 as May 2026 still has it, with V2 switched off"},
}};

}  // namespace

std::span<const Profile> profiles() { return kProfiles; }

const Profile* find_profile(std::string_view name) {
  if (name.empty()) {
    return kProfiles.data();
  }
  const auto* found = std::find_if(kProfiles.begin(), kProfiles.end(),
                                   [&](const Profile& profile) { return profile.name == name; });
  return found == kProfiles.end() ? nullptr : found;
}

}  // namespace aftershock::policies::ray_train_v1
