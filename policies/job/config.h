#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "policies/api/config.h"
#include "policies/api/entry.h"

namespace aftershock::policies::job {

/// Builds the policy of a request whose name is "job". Its configuration is a Job's spec, by itself
/// or in the manifest that holds it.
MakeResult make(const PolicyRequest& request);

/// Its entry among the shipped policies.
PolicyEntry entry();

/// The manifests that it takes.
inline constexpr std::array<ManifestKind, 1> kManifests{{{"batch", "Job"}}};

/// The profiles, default first: the date of the documentation and code that are followed.
inline constexpr std::array<std::string_view, 1> kProfiles{"2026-08"};

/// The error for a profile that is none of these; none where it is one, or is left out.
std::vector<ConfigIssue> check_profile(const PolicyRequest& request,
                                       std::span<const std::string_view> profiles);

}  // namespace aftershock::policies::job
