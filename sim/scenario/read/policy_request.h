#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "policies/api/config.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim::scenario {

/// NAME[@PROFILE][:PRESET] as arguments have it, without a configuration; in words what is wrong:
/// a part that is missing, or a preset that a shipped policy does not have.
std::variant<PolicySpec, std::string> policy_named(std::string_view text);

/// The request that builds a job's policy. Ray Train keeps as many checkpoints as the job says,
/// unless its own configuration speaks of it.
policies::PolicyRequest policy_request(const JobSpec& job);
/// The same of an experiment.
policies::PolicyRequest policy_request(const ExperimentSpec& experiment);

}  // namespace aftershock::sim::scenario
