#pragma once

#include <functional>
#include <optional>
#include <string>

namespace aftershock::sim::engine {

/// Runs `work` in a child process and gives back what it returned; none when the child died. For
/// runs that may come to need SimGrid, of which a process has one. Throws MissingModule where
/// it cannot be loaded.
std::optional<std::string> run_isolated(const std::function<std::string()>& work);

}  // namespace aftershock::sim::engine
