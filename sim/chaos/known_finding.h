#pragma once

#include <string_view>

#include "policies/api/entry.h"

namespace aftershock::sim::chaos {

/// The documented finding of that policy (name, or name@profile) which a failed run is an example
/// of, by its Failure::id and words; null: none.
const policies::Finding* known_finding(std::string_view policy, std::string_view failure,
                                       std::string_view words);

}  // namespace aftershock::sim::chaos
