#pragma once

#include <cstdint>

#include "policies/api/policy.h"
#include "policies/job/pod_controller.h"

namespace aftershock::policies::jobset {

/// Rules for Jobs that are Failed, after those of job::Common. Their words stand in rules.cpp.
enum class RuleId : std::uint16_t {
  kNoFailurePolicy = static_cast<std::uint16_t>(job::Common::kCount),
  kRuleMatched,
  kNoRuleMatched,
  kFailJobSet,
  kRestartJobSet,
  kRestartJobSetIgnored,
  kRestartJob,
  kRestartJobIgnored,
  kInPlaceRestart,
  kMaxRestarts,
  kCount,
};

/// The policy's description of itself.
const PolicyInfo& policy_info();

}  // namespace aftershock::policies::jobset
