#pragma once

#include <cstdint>

#include <sched.h>
#include <sys/types.h>

namespace aftershock::sim::control {

/// Has a program answer on the CPU of the thread that asks it. They take turns, so one CPU serves
/// them both; on two, each answer waits for an idle one to wake twice, which takes longer than most
/// answers. The scheduler may move the thread while it works, and the program follows. Only
/// programs that are a process of one thread are moved: others may have use for more than one CPU.
/// Where the system does not allow it, nothing happens.
class SameCpu {
 public:
  /// Of the program that this guardian has started (start_guarded), and of the calling thread.
  explicit SameCpu(pid_t guardian);

  /// From before a question is sent until its answer is there.
  class Turn {
   public:
    explicit Turn(SameCpu& both) : both_(both) { both_.begin(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { both_.end(); }

   private:
    SameCpu& both_;
  };

 private:
  void begin();
  void end();
  bool look();

  pid_t guardian_;
  pid_t program_ = -1;  ///< that may be moved
  cpu_set_t allowed_{};
  bool possible_;
  bool staying_ = false;  ///< this thread, on the CPU where it waits
  int cpu_ = -1;          ///< the program's; -1: it was not moved
  std::uint64_t turns_ = 0;
  std::uint64_t moved_ = 0;  ///< in which turn
};

}  // namespace aftershock::sim::control
