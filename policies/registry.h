#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "policies/api/config.h"

namespace aftershock::policies {

/// The profile of a policy that the installed code of its project plays, not a port of it.
inline constexpr std::string_view kInstalledProfile = "installed";

/// Settings to start from, for whoever asks for a policy by its name alone: with the vendor's
/// defaults most give up at the first failure, so that comparing them says nothing.
struct Preset {
  std::string_view name;
  std::string_view config;  ///< a JSON object
  std::string_view what;    ///< in words
  std::string_view source;  ///< of the settings
};

/// Whether a policy starts a pod a node, which takes the time of a job's `pods`, and writes the
/// table of ranks that all of them wait for.
enum class PodStarts : std::uint8_t { kNone, kPods, kPodsWithRankTable };

/// A shipped policy and the profiles it knows, default first.
struct PolicyEntry {
  std::string_view name;
  std::string_view summary;
  std::vector<std::string_view> profiles;
  Subject subject = Subject::kJob;
  /// The setting that says how many ranks share a pod, where it has one. A scenario that leaves it
  /// out has the accelerators of its pool's nodes.
  std::string_view ranks_per_pod = {};
  /// The first is taken where none is named; the last is "defaults", the vendor's own.
  std::vector<Preset> presets = {};
  PodStarts pods = PodStarts::kNone;
  /// A program hosts the installed code, which then goes by kInstalledProfile.
  bool hosted = false;
  /// Manifests that it takes for its configuration, as kubectl prints them.
  std::vector<ManifestKind> manifests = {};
};

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
