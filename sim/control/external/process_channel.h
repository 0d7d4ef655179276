#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/control/external/channel.h"

namespace aftershock::sim::control {

/// How a policy's process is started and for how long it is waited for.
struct ProcessOptions {
  std::vector<std::string> words{};        ///< the program, by path or name in PATH, and arguments
  std::vector<std::string> environment{};  ///< NAME=VALUE: all that it gets
  std::int64_t deadline_ms = 10'000;  ///< of host time for an answer; on it the process is killed
};

/// A policy's process: a line on its standard input, the answer on its standard output. Errors are
/// told with the last lines of its standard error. The process, and all that it started, is gone
/// when this is.
std::unique_ptr<Channel> open_process(const ProcessOptions& options);

}  // namespace aftershock::sim::control
