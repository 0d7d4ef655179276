#pragma once

#include <CLI/CLI.hpp>

namespace aftershock::sim::cli {

/// Adds `policies coverage`: which rules of a policy some scenarios apply.
void add_coverage(CLI::App& policies, int& exit_code);

}  // namespace aftershock::sim::cli
