#pragma once

#include <string>
#include <variant>
#include <vector>

#include <sys/types.h>

#include "sim/processes/file.h"

namespace aftershock::sim::control {

/// A program that runs, and this side's ends of its pipes.
struct Guarded {
  pid_t guardian = -1;
  processes::File to{};      ///< its standard input
  processes::File from{};    ///< its standard output
  processes::File errors{};  ///< its standard error
  processes::File end{};     ///< takes one ProcessEnd when it has ended
};

/// Starts a program in a process group of its own, in nothing but this environment, without a
/// shell. Between it and this process stands a guardian, to whom all that the program starts falls,
/// wherever it hides: when the program ends, when the guardian gets SIGTERM, and when this process
/// dies, however it does, they are all ended: told to (SIGTERM), and after a second killed; at
/// once where the guardian gets SIGQUIT. An error in words where there is no guardian.
std::variant<Guarded, std::string> start_guarded(const std::vector<std::string>& words,
                                                 const std::vector<std::string>& environment);

}  // namespace aftershock::sim::control
