#pragma once

#include <string_view>

namespace aftershock::sim::chaos {

/// A defect of the real system that the policy reproduces and a search therefore finds; the
/// documents of that system say so.
struct KnownFinding {
  std::string_view policy;    ///< its name, whatever the profile
  std::string_view failure;   ///< Failure::id; empty: any
  std::string_view within;    ///< the words that such a run holds
  std::string_view sentence;  ///< the finding
  std::string_view source;    ///< where the system's own code or pages show it
};

/// The one that a run of that policy (name, or name@profile) is an example of; null: none.
const KnownFinding* known_finding(std::string_view policy, std::string_view failure,
                                  std::string_view words);

}  // namespace aftershock::sim::chaos
