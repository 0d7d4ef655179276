#pragma once

#include <cstdint>
#include <string>

namespace aftershock::sim::processes {

/// How a process ended, or that it never began.
struct ProcessEnd {
  /// The meaning of `code`: of the exit; the signal's number; the system's error.
  enum class How : std::uint8_t { kExited, kKilled, kNotStarted };
  How how = How::kExited;
  int code = 0;

  friend bool operator==(const ProcessEnd&, const ProcessEnd&) = default;
};

/// "ended with exit code 3", "killed by signal 11 (Segmentation fault)", "cannot be started: No
/// such file or directory".
std::string words_of(const ProcessEnd& end);

}  // namespace aftershock::sim::processes
