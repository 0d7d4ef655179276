#pragma once

#include "sim/cli/arguments/arguments.h"

namespace aftershock::sim::cli {

/// Adds `policies coverage`: which rules of a policy some scenarios apply.
void add_coverage(Command policies, int& exit_code);

}  // namespace aftershock::sim::cli
