#pragma once

#include <cstdint>

#include "policies/api/policy.h"
#include "policies/job/pod_controller.h"

namespace aftershock::policies::job {

/// Rules by which a Job is Failed, after those of Common. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kFailJob = static_cast<std::uint16_t>(Common::kCount),
  kBackoffLimit,
  kMaxFailedIndexes,
  kFailedIndexes,
  kDeadline,
  kCount,
};

/// Order of the budgets in the policy's info.
enum class Budget : std::uint16_t { kBackoffLimit, kMaxFailedIndexes };

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::job
