#pragma once

#include "sim/cli/arguments/arguments.h"

namespace aftershock::sim::cli {

/// Adds `policies serve`: a shipped policy as a process that --policy-cmd can start.
void add_serve(Command policies, int& exit_code);

}  // namespace aftershock::sim::cli
