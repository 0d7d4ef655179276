#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "policies/api/policy.h"
#include "policies/ray_train/profile.h"

namespace aftershock::policies::ray_train {

/// A setting and the versions that have it, or have it with this default.
struct Setting {
  Versions versions;
  Parameter parameter;
};

/// Every setting of every version.
std::span<const Setting> settings();

/// The versions that have a setting of this name, none where no version does.
std::vector<Versions> versions_with(std::string_view name);

/// The parameters that `policies show` lists for the profile.
std::vector<Parameter> parameters(const Profile& profile);

}  // namespace aftershock::policies::ray_train
