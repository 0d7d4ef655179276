#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "policies/api/decision.h"
#include "policies/api/issue.h"
#include "policies/api/json.h"
#include "policies/api/policy.h"

namespace aftershock::policies {

/// Whether there is such an enumerator.
template <class Enum>
bool known_word(Enum value) {
  return static_cast<std::size_t>(value) < EnumNames<Enum>::kNames.size();
}

/// The error in an answer that not even JSON has words for: an index beyond the tables of `info`,
/// or a value outside an enumeration. `state` is the one after the decision.
std::optional<Issue> unsayable(const Decision& decision, std::uint16_t state,
                               const PolicyInfo& info);

}  // namespace aftershock::policies
