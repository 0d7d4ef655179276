#pragma once

#include <cstdint>
#include <optional>

#include <sys/types.h>

#include "sim/processes/file.h"
#include "sim/processes/process_end.h"

// The one place that forks, waits and kills: children of this process, which has one thread.
namespace aftershock::sim::processes {

/// The death signal and the group that a process begins with.
struct Birth {
  int death_signal = 0;    ///< sent to it when its parent ends, however that does; 0: none
  bool own_group = false;  ///< it leads a process group, whose members end together
};

/// As fork(2) does: 0 in the child, -1 for the reason in errno. `start_process` is for most.
pid_t fork_process(const Birth& birth);

/// Has this process get the signal when its parent ends; false where that one has ended already.
bool die_with(pid_t parent, int signal);

/// Ends this process without destructors, which are its parent's.
[[noreturn]] void leave_process(int exit_code);

/// A child that does this work, which returns its exit code; -1 for the reason in errno.
template <class Work>
pid_t start_process(const Birth& birth, const Work& work) {
  const pid_t child = fork_process(birth);
  if (child == 0) {
    leave_process(work());
  }
  return child;
}

/// Waits until the child has ended. Each child is to be waited for once, by this or the next two.
ProcessEnd wait_for(pid_t child);

/// How the child has ended, if it has.
std::optional<ProcessEnd> look_at(pid_t child);

/// Waits for so many milliseconds.
std::optional<ProcessEnd> wait_at_most(pid_t child, int ms);

/// Can be read, says poll(2), when the child has ended; closed where the system has no such file,
/// and who waits has to look now and then.
File watch(pid_t child);

/// Kills the child, and waits for it.
ProcessEnd kill_process(pid_t child);

/// Kills the process group of the child that leads it, and waits for this one.
ProcessEnd kill_group(pid_t leader);

/// A child of whatever number that has ended.
struct AnyEnd {
  pid_t child = 0;  ///< 0: of those that there are none has ended; -1: there are none
  ProcessEnd end;
};

/// For who has children that it did not start: those of others may fall to it.
AnyEnd look_at_any();

}  // namespace aftershock::sim::processes
