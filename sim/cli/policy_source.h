#pragma once

#include "sim/cli/scenario_options.h"

namespace aftershock::sim::cli {

/// Has the policies of `read` decided by what --policy-cmd names; false, with a word on standard
/// error, where that cannot be.
bool add_policy_source(const ScenarioOptions& options, ReadOptions& read);

}  // namespace aftershock::sim::cli
