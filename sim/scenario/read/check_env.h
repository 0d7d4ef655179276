#pragma once

#include "policies/api/config.h"
#include "sim/scenario/text/error_list.h"

namespace aftershock::sim::scenario {

/// Warns of variables of a job's or experiment's `env` that a vendor has and nothing here reads:
/// those of collectives and launchers, of other policies, and misspelt ones. The `env` of a real
/// job, pasted whole, has many others, which say nothing; one that an argument of the command line
/// names was meant to change something, so that it is an error when nothing reads it. `request` is
/// for a policy of the library.
void check_env(const LocatedValue& env, const policies::PolicyRequest& request, ErrorList& errors);

}  // namespace aftershock::sim::scenario
