#include "policies/parts/rule_table.h"

#include <algorithm>

#include "base/assert.h"

namespace aftershock::policies {

const PolicyInfo& info_of(std::span<const PolicyInfo> infos, std::string_view profile) {
  const auto found = std::ranges::find(infos, profile, &PolicyInfo::profile);
  AFTERSHOCK_ASSERT(found != infos.end());
  return *found;
}

}  // namespace aftershock::policies
