#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aftershock::sim::sweep {

/// How a program that was started ended.
struct ChildEnd {
  /// Which number `code` is: of an exit, a signal, seconds, a signal to this process, or the
  /// system's error.
  enum class How : std::uint8_t { kExited, kKilled, kTimedOut, kInterrupted, kNotStarted };
  How how = How::kNotStarted;
  int code = 0;
  std::string errors;  ///< the last of what it wrote to standard error

  /// "ended with exit code 2: unknown command", "killed by signal 9 (Killed)", in words; with what
  /// the program said as it said it.
  [[nodiscard]] std::string words() const;
};

/// Starts a program with these words, the first of which is its path, or its name in PATH, and
/// waits for its end. No shell takes part, it has nothing on standard input, its standard output
/// goes nowhere, and it dies with this process. After so many seconds, or when this process gets
/// one of stop_signals(), it is killed, with all that are in its process group.
ChildEnd run_child(const std::vector<std::string>& words, std::int64_t timeout_s);

}  // namespace aftershock::sim::sweep
