#pragma once

#include <string_view>

namespace aftershock::sim {

/// What a search finds in a policy because the system that it reproduces is so, and says so.
struct KnownFinding {
  std::string_view policy;    ///< its name, whatever the profile
  std::string_view failure;   ///< Failure::id; empty: any
  std::string_view within;    ///< what the words of such a run hold
  std::string_view sentence;  ///< what it is
  std::string_view source;    ///< where the system's own code or pages show it
};

/// The one that a run of that policy (name, or name@profile) is an example of; null: none.
const KnownFinding* known_finding(std::string_view policy, std::string_view failure,
                                  std::string_view words);

}  // namespace aftershock::sim
