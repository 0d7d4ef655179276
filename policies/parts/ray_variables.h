#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policies/api/config.h"

namespace aftershock::policies {

/// A variable of Ray that changes nothing here, and why not.
struct RayVariable {
  std::string_view name;
  std::string_view why;
};

/// The variables of Ray that Tune and Train V1 leave without effect, by name.
std::span<const RayVariable> ray_variables_without_effect();

/// Judges a variable of a job's environment that the policy does not read itself: known ones are
/// warned of, names that look like Ray's and are not known are errors with the nearest known name,
/// all others are the job's own. `read` are the names that the policy does read.
void judge_ray_variable(std::string_view name, std::span<const std::string_view> read,
                        std::vector<ConfigIssue>& errors, std::vector<ConfigIssue>& warnings);

}  // namespace aftershock::policies
