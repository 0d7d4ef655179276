#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "policies/api/config.h"

namespace aftershock::policies {

/// The error in the profile that a request for a family names; empty is the first of `known`.
inline std::optional<ConfigIssue> profile_issue(std::string_view family, std::string_view profile,
                                                std::span<const std::string_view> known) {
  if (profile.empty() || std::ranges::find(known, profile) != known.end()) {
    return std::nullopt;
  }
  std::string expected = "one of ";
  for (const std::string_view name : known) {
    expected += (name == known.front() ? "" : ", ") + std::string(name);
  }
  return ConfigIssue{"/profile",
                     std::string(family) + " has no profile \"" + std::string(profile) + '"',
                     std::move(expected), std::string(nearest_name(profile, known))};
}

}  // namespace aftershock::policies
