#include "sim/processes/process.h"

#include <cerrno>
#include <csignal>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aftershock::sim::processes {
namespace {

/// How often a child is looked at that cannot be watched.
constexpr int kLookMs = 20;

ProcessEnd end_of(int status) {
  if (WIFSIGNALED(status)) {
    return {.how = ProcessEnd::How::kKilled, .code = WTERMSIG(status)};
  }
  return {.how = ProcessEnd::How::kExited, .code = WEXITSTATUS(status)};
}

}  // namespace

bool die_with(pid_t parent, int signal) {
  ::prctl(PR_SET_PDEATHSIG, signal);
  return ::getppid() == parent;
}

void leave_process(int exit_code) { ::_exit(exit_code); }

pid_t fork_process(const Birth& birth) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    if (birth.own_group) {
      ::setpgid(0, 0);
    }
    if (birth.death_signal != 0 && !die_with(parent, birth.death_signal)) {
      leave_process(1);
    }
  } else if (child > 0 && birth.own_group) {
    // Parent and child both set it: the group is there whichever of them comes first.
    ::setpgid(child, child);
  }
  return child;
}

ProcessEnd wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return end_of(status);
}

std::optional<ProcessEnd> look_at(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, WNOHANG) == 0 ? std::nullopt : std::optional(end_of(status));
}

std::optional<ProcessEnd> wait_at_most(pid_t child, int ms) {
  const File watched = watch(child);
  if (watched.is_open()) {
    pollfd ended{watched.number(), POLLIN, 0};
    ::poll(&ended, 1, ms);
    return look_at(child);
  }
  for (int left = ms; left > 0; left -= kLookMs) {
    if (const auto end = look_at(child)) {
      return end;
    }
    ::poll(nullptr, 0, left < kLookMs ? left : kLookMs);
  }
  return look_at(child);
}

File watch(pid_t child) { return File(static_cast<int>(::syscall(SYS_pidfd_open, child, 0))); }

ProcessEnd kill_process(pid_t child) {
  ::kill(child, SIGKILL);
  return wait_for(child);
}

ProcessEnd kill_group(pid_t leader) {
  ::kill(-leader, SIGKILL);
  return wait_for(leader);
}

AnyEnd look_at_any() {
  int status = 0;
  const pid_t child = ::waitpid(-1, &status, WNOHANG);
  return {child < 0 && errno != ECHILD ? 0 : child, end_of(status)};
}

}  // namespace aftershock::sim::processes
