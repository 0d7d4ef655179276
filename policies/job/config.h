#pragma once

#include <array>
#include <string_view>

#include "policies/api/config.h"

namespace aftershock::policies::job {

/// Builds the policy of a request whose name is "job". Its configuration is a Job's spec, by itself
/// or in the manifest that holds it.
MakeResult make(const PolicyRequest& request);

/// The profiles, default first: the date of the documentation and code that are followed.
inline constexpr std::array<std::string_view, 1> kProfiles{"2026-08"};

/// The object below "spec" of a manifest of this kind, or the configuration itself where it is
/// none; `pointer` becomes its place. Errors in the manifest are added to `errors`.
const nlohmann::json& spec_of(const nlohmann::json& config, std::string_view kind,
                              std::string& pointer, std::vector<ConfigIssue>& errors);

/// The error for a profile that is none of these; none where it is one, or is left out.
std::vector<ConfigIssue> check_profile(const PolicyRequest& request,
                                       std::span<const std::string_view> profiles);

}  // namespace aftershock::policies::job
