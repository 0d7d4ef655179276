#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "policies/api/config.h"

namespace aftershock::policies {

/// A shipped policy and the profiles it knows, default first.
struct PolicyEntry {
  std::string_view name;
  std::string_view summary;
  std::vector<std::string_view> profiles;
  Subject subject = Subject::kJob;
  /// The setting that says how many ranks share a pod, where it has one. A scenario that leaves it
  /// out has the accelerators of its pool's nodes.
  std::string_view ranks_per_pod = {};
};

/// Every shipped policy, by name.
std::span<const PolicyEntry> shipped_policies();

/// Builds a shipped policy. An unknown name or profile is an issue with the nearest known one.
MakeResult make_policy(const PolicyRequest& request);

}  // namespace aftershock::policies
