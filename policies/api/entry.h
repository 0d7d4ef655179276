#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "policies/api/config.h"

// A shipped policy as its folder presents it: nothing else of the program says more about one.
namespace aftershock::policies {

/// Settings to start from, for whoever asks for a policy by its name alone: with the vendor's
/// defaults most give up at the first failure, so that comparing them says nothing.
struct Preset {
  std::string_view name;
  std::string_view config;  ///< a JSON object
  std::string_view what;    ///< in words
  std::string_view source;  ///< of the settings
};

/// The source of presets that allow as many failures as those of all other families.
inline constexpr std::string_view kThreeForEach =
    "this program: three for every family, as ModelArts' sample and Volcano's default have it";

/// Whether a policy starts a pod a node, which takes the time of a job's `pods`, and writes the
/// table of ranks that all of them wait for.
enum class PodStarts : std::uint8_t { kNone, kPods, kPodsWithRankTable };

/// Behaviour of the real system that its users would call a defect, and that its own code or pages
/// show. The policy reproduces it, so that a search finds it.
enum class FindingKind : std::uint8_t {
  kReservesForGood,  ///< a start that fails leaves its nodes reserved
  kHangUnseen,       ///< nothing looks at progress: a rank that hangs holds the others for ever
  kHangUnanswered,   ///< the end of those that waited for such a rank is answered by nothing
  kNeverGivesUp,     ///< attempts that get no further go on, where `budget` is without limit
  kAbortLost,        ///< a user's abort may be forgotten
};

/// Such a behaviour of one policy.
struct Finding {
  FindingKind kind = FindingKind::kHangUnseen;
  std::string_view budget;    ///< of kNeverGivesUp: the one that has no limit
  std::string_view sentence;  ///< the finding
  std::string_view source;    ///< where the system's own code or pages show it
};

/// Variables of a job's environment that begin alike.
struct VariableFamily {
  std::string_view prefix;   ///< in capitals
  std::string_view read_by;  ///< policies that say themselves what they read, by how they begin
  std::string_view instead;  ///< the setting that has the effect here, in words
};

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
  /// Budgets that each agent of a group has for itself: moves and states tell the sum of all, and
  /// as their limit that at which the agent that used most has none left.
  std::vector<std::string_view> budgets_by_agent = {};
  std::vector<Finding> findings = {};
  std::vector<VariableFamily> variables = {};
  /// Builds one of a request with this name.
  MakeResult (*make)(const PolicyRequest&) = nullptr;
};

}  // namespace aftershock::policies
