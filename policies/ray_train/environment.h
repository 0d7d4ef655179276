#pragma once

#include <map>
#include <string>

#include "policies/ray_train/config.h"

namespace aftershock::policies::ray_train {

/// Applies the variables that the profile's version reads to `reading`. Variables of Ray without
/// effect here are warnings, names that look like Ray's and are not are errors, all others are the
/// job's own.
void read_environment(const std::map<std::string, std::string>& env, const Profile& profile,
                      ConfigReading& reading);

/// Says that a duration of zero is wrong: the controller would spin.
void refuse_zero(const std::string& pointer, std::vector<ConfigIssue>& errors);

}  // namespace aftershock::policies::ray_train
