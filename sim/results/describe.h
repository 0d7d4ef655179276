#pragma once

#include <vector>

#include "reports/recording/header.h"
#include "sim/control/policy_host.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::results {

/// The header of a recording of this scenario without its policies and their words.
reports::RecordingHeader describe_scenario(const scenario::Scenario& scenario);

/// The header of a recording of this scenario under these policies.
reports::RecordingHeader describe(const scenario::Scenario& scenario,
                                  const std::vector<control::PolicyHost>& hosts);

/// "ray_train@2026-05"
std::string policy_title(const policies::PolicyInfo& info);

}  // namespace aftershock::sim::results
