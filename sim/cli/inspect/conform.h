#pragma once

#include "sim/cli/arguments/arguments.h"

namespace aftershock::sim::cli {

/// Adds `policies conform`: a port beside the installed code that it follows.
void add_conform(Command policies, int& exit_code);

}  // namespace aftershock::sim::cli
