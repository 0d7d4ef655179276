#include "policies/ray_train/profile.h"

#include <array>

namespace aftershock::policies::ray_train {
namespace {

constexpr std::array<Profile, 1> kProfiles{{
    {.name = "2026-05",
     .ray_version = "3.0.0.dev0",
     .summary = "Ray Train V2 as of May 2026, fixed scaling",
     .health_check_interval_us = 2 * kSecondUs,
     .worker_health_check_timeout_us = 600 * kSecondUs,
     .worker_group_start_timeout_us = 60 * kSecondUs,
     .shutdown_grace_us = 5 * kSecondUs},
}};

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

}  // namespace aftershock::policies::ray_train
