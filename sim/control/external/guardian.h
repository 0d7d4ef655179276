#pragma once

#include <string>
#include <variant>
#include <vector>

#include <sys/types.h>

namespace aftershock::sim {

/// A program that runs, and this side's ends of its pipes.
struct Guarded {
  pid_t guardian = -1;
  int to = -1;      ///< its standard input
  int from = -1;    ///< its standard output
  int errors = -1;  ///< its standard error
  int end = -1;     ///< takes one ProgramEnd when it has ended
};

/// How the program ended: what its guardian sends.
struct ProgramEnd {
  bool started = true;  ///< false: `code` is the system's error
  bool killed = false;  ///< by the signal `code`
  int code = 0;

  /// "ended with exit code 3", "was killed by signal 11 (Segmentation fault)".
  [[nodiscard]] std::string words() const;
};

/// Starts a program in a process group of its own, in nothing but this environment, without a
/// shell. Between it and this process stands a guardian, to whom all that the program starts falls,
/// wherever it hides: when the program ends, when the guardian gets SIGTERM, and when this process
/// dies, however it does, they are all ended: told to (SIGTERM), and after a second killed; at
/// once where the guardian gets SIGQUIT. An error in words where there is no guardian.
std::variant<Guarded, std::string> start_guarded(const std::vector<std::string>& words,
                                                 const std::vector<std::string>& environment);

}  // namespace aftershock::sim
