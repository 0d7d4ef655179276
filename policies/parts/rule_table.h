#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "policies/api/policy.h"

// How a family of policies keeps its rules: a constant table in the order of an enumeration, and
// what each of its profiles says of itself, made once.
namespace aftershock::policies {

/// A rule with the enumerator that stands for it; `RuleId` counts from zero to `kCount`.
template <class RuleId>
struct RuleEntry {
  RuleId id;
  Rule rule;
};

/// A rule for every enumerator.
template <class RuleId>
using RuleTable = std::array<RuleEntry<RuleId>, static_cast<std::size_t>(RuleId::kCount)>;

/// Whether every entry stands at the place that its enumerator names.
template <class RuleId>
constexpr bool in_order(const RuleTable<RuleId>& table) {
  for (std::size_t index = 0; index < table.size(); ++index) {
    if (static_cast<std::size_t>(table[index].id) != index) {
      return false;
    }
  }
  return true;
}

/// The rules of the table, as a policy's info has them.
template <class RuleId>
std::vector<Rule> rules_of(const RuleTable<RuleId>& table) {
  std::vector<Rule> rules;
  rules.reserve(table.size());
  for (const RuleEntry<RuleId>& entry : table) {
    rules.push_back(entry.rule);
  }
  return rules;
}

/// One info a profile, in their order; `make` makes it.
template <class Profile>
std::vector<PolicyInfo> infos_of(std::span<const Profile> profiles,
                                 PolicyInfo (*make)(const Profile&)) {
  std::vector<PolicyInfo> infos;
  infos.reserve(profiles.size());
  for (const Profile& profile : profiles) {
    infos.push_back(make(profile));
  }
  return infos;
}

/// The info of that profile, which must be one of them.
const PolicyInfo& info_of(std::span<const PolicyInfo> infos, std::string_view profile);

}  // namespace aftershock::policies
