#include "policies/ray_tune/profile.h"

#include <algorithm>
#include <array>

namespace aftershock::policies::ray_tune {
namespace {

constexpr std::array<Profile, 2> kProfiles{{
    {.name = "2026-05", .summary = "Ray Tune as of May 2026"},
    {.name = "2.38",
     .summary = "Ray Tune 2.38: a restore failure that counts wipes the trial's checkpoint",
     .restore_failure_wipes_checkpoint = true},
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

}  // namespace aftershock::policies::ray_tune
