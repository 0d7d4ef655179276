#pragma once

#include <optional>
#include <string_view>

#include "policies/api/config.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim {

/// NAME or NAME@PROFILE as arguments have it, without a configuration; none where the profile is
/// missing behind the @.
std::optional<PolicySpec> policy_named(std::string_view text);

/// What to build a job's policy from. Ray Train keeps as many checkpoints as the job says, unless
/// its own configuration speaks of it.
policies::PolicyRequest policy_request(const JobSpec& job);
/// The same of an experiment.
policies::PolicyRequest policy_request(const ExperimentSpec& experiment);

}  // namespace aftershock::sim
