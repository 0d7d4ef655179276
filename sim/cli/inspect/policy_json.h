#pragma once

#include <nlohmann/json_fwd.hpp>

#include "policies/api/policy.h"
#include "policies/registry.h"

namespace aftershock::sim::cli {

/// A policy as `policies show --json` prints it: {"name", "profile", "summary", "parameters":
/// [{"name", "type", "unit", "default", "env", "meaning"}], "presets": [{"name", "config", "what",
/// "source"}], "states", "budgets", "persists", "rules": [{"id", "sentence", "source"}]}. `entry`
/// is the family's; null for one that is not shipped, which has no presets.
nlohmann::ordered_json policy_json(const policies::PolicyInfo& info,
                                   const policies::PolicyEntry* entry);

}  // namespace aftershock::sim::cli
