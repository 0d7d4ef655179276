#pragma once

#include <csignal>

#include "sim/processes/file.h"

namespace aftershock::sim::processes {

/// While it lives, stop_signals() do not end this process: they are read here instead. Those that
/// nobody has read act when it goes. Children inherit that they are held back.
class HeldStops {
 public:
  HeldStops();
  HeldStops(const HeldStops&) = delete;
  HeldStops& operator=(const HeldStops&) = delete;
  ~HeldStops();

  /// Can be read, says poll(2), when one has come.
  [[nodiscard]] const File& file() const { return file_; }
  /// The one that has come, 0 where none has; without waiting.
  int take();
  /// For a child that was forked: the stops are its parent's.
  void disown() { file_.close(); }

 private:
  sigset_t before_{};
  File file_;
};

}  // namespace aftershock::sim::processes
