// Loaded before the C library where instructions are counted, it sends SIGUSR1 in place of SIGKILL.
// A pool kills its worker when the work is done, and callgrind writes nothing of a process that is
// killed: the runs themselves would be missing. SIGUSR1, which no worker blocks, ends it as well,
// but valgrind sees it.
#include <csignal>

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

extern "C" int kill(pid_t process, int signal) noexcept {
  return static_cast<int>(syscall(SYS_kill, process, signal == SIGKILL ? SIGUSR1 : signal));
}
