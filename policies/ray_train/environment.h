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

/// Stores a duration given in seconds, or says what is wrong with it. Zero is refused: the
/// controller would spin.
void read_seconds(const std::string& pointer, std::string_view text, DurationUs& out,
                  bool zero_is_fine, std::vector<ConfigIssue>& errors);

}  // namespace aftershock::policies::ray_train
