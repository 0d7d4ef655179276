#pragma once

#include <CLI/CLI.hpp>

namespace aftershock::sim::cli {

/// Adds `policies serve`: a shipped policy as a process that --policy-cmd can start.
void add_serve(CLI::App& policies, int& exit_code);

}  // namespace aftershock::sim::cli
