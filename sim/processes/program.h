#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <sys/types.h>

#include "sim/processes/process_end.h"

namespace aftershock::sim::processes {

/// A program to be started, without a shell. It leads a process group and is killed when this
/// process ends. Of the files that this library has opened it has these three.
struct Program {
  /// Signals that this process ignores stay ignored in what it starts.
  enum class Signals : std::uint8_t {
    kOurs,  ///< those that Aftershock itself ignores take effect; one of nohup(1) stays
    kAll,   ///< all take effect
  };

  std::vector<std::string> words;  ///< the first is its path, or its name in PATH
  std::optional<std::vector<std::string>> environment{};  ///< none: this process's
  std::array<int, 3> files{-1, -1, -1};  ///< standard input, output, error; -1: nothing
  Signals signals = Signals::kOurs;
};

/// Starts it: the process, or, for the system's reason, why there is none.
std::variant<pid_t, ProcessEnd> start_program(const Program& program);

/// Has this process's standard input, output and error be these files; -1: nothing.
void place_standard_files(const std::array<int, 3>& files);

}  // namespace aftershock::sim::processes
