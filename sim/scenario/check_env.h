#pragma once

#include <string_view>

#include "sim/scenario/error_list.h"

namespace aftershock::sim {

/// Warns of variables of a job's or experiment's `env` that a vendor has and nothing here reads:
/// those of collectives and launchers, of other policies, and misspelt ones. `policy` is the name
/// of one of the library's.
void check_env(const LocatedValue& env, std::string_view policy, ErrorList& errors);

}  // namespace aftershock::sim
