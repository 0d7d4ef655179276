#pragma once

#include "policies/api/config.h"
#include "sim/scenario/scenario.h"

namespace aftershock::sim {

/// What to build a job's policy from. Ray Train keeps as many checkpoints as the job says, unless
/// its own configuration speaks of it.
policies::PolicyRequest policy_request(const JobSpec& job);
/// The same of an experiment.
policies::PolicyRequest policy_request(const ExperimentSpec& experiment);

}  // namespace aftershock::sim
