#pragma once

#include <span>
#include <string_view>

#include "policies/api/config.h"
#include "policies/api/entry.h"

namespace aftershock::policies {

/// The profile of a policy that the installed code of its project plays, not a port of it.
inline constexpr std::string_view kInstalledProfile = "installed";

/// Every shipped policy, by name.
std::span<const PolicyEntry> shipped_policies();

/// The entry of that name; null: none is shipped.
const PolicyEntry* shipped_policy(std::string_view name);
/// The preset of that name, or the first for an empty one; null: the policy has none such.
const Preset* find_preset(const PolicyEntry& entry, std::string_view name);

/// Whether each agent of a group has this budget for itself: moves and states of it tell the sum of
/// all, and as their limit that at which the agent that used most has none left.
bool counts_by_agent(std::string_view policy, std::string_view budget);

/// Builds a shipped policy. An unknown name or profile is an issue with the nearest known one, and
/// so is kInstalledProfile, which nobody plays here.
MakeResult make_policy(const PolicyRequest& request);

}  // namespace aftershock::policies
