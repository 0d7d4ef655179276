#pragma once

#include <cstdint>

#include "sim/processes/file.h"

namespace aftershock::sim::processes {

/// An alarm clock that poll(2) can wait for together with files. Host time: it limits how long a
/// process is waited for, and decides nothing else.
class Timer {
 public:
  Timer();

  /// Goes off after so many milliseconds, and not when it was set to before.
  void set(std::int64_t ms);
  /// Can be read when it has gone off.
  [[nodiscard]] const File& file() const { return file_; }

 private:
  File file_;
};

}  // namespace aftershock::sim::processes
