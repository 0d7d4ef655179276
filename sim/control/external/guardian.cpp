#include "sim/control/external/guardian.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aftershock::sim {
namespace {

/// Where the guardian keeps the pipe for the program's end.
constexpr int kEndFile = STDERR_FILENO + 1;

/// A list as exec takes it; the words outlive it.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// Both ends of a pipe; closed when this is gone, unless taken.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  bool open = ::pipe2(ends.data(), O_CLOEXEC) == 0;
  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) {
        ::close(end);
      }
    }
  }
  int take(std::size_t which) {
    const int end = ends.at(which);
    ends.at(which) = -1;
    return end;
  }
};

struct Pipes {
  Pipe to;
  Pipe from;
  Pipe errors;
  Pipe end;
};

sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGQUIT);
  sigaddset(&set, SIGCHLD);
  return set;
}

void tell(const ProgramEnd& end) {
  [[maybe_unused]] const ssize_t told = ::write(kEndFile, &end, sizeof(end));
}

/// Those that have ended are taken; the program's end is told.
struct Buried {
  bool program = false;
  bool all = false;  ///< nobody is left
};

Buried account_zombie(pid_t program) {
  Buried buried;
  for (;;) {
    int status = 0;
    const pid_t one = ::waitpid(-1, &status, WNOHANG);
    if (one <= 0) {
      buried.all = one < 0 && errno == ECHILD;
      return buried;
    }
    if (one == program) {
      const bool killed = WIFSIGNALED(status);
      tell({true, killed, killed ? WTERMSIG(status) : WEXITSTATUS(status)});
      buried.program = true;
    }
  }
}

/// The kernel lists children there, as numbers with blanks behind them.
void kill_children() {
  const int file = ::open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  std::array<char, 4096> text{};
  const ssize_t size = file < 0 ? 0 : ::read(file, text.data(), text.size());
  ::close(file);
  const char* end = text.data() + (size > 0 ? size : 0);
  for (const char* at = text.data(); at < end; ++at) {
    pid_t child = 0;
    const auto [stopped, problem] = std::from_chars(at, end, child);
    if (problem == std::errc{} && child > 0) {
      ::kill(child, SIGKILL);
    }
    at = stopped > at ? stopped : at;
  }
}

/// All that is left falls to the guardian, one generation after the other.
void kill_all(pid_t group) {
  const sigset_t set = awaited();
  for (;;) {
    ::kill(-group, SIGKILL);
    kill_children();
    if (account_zombie(group).all) {
      return;
    }
    constexpr long kTick = 10'000'000;
    const timespec tick{.tv_sec = 0, .tv_nsec = kTick};
    ::sigtimedwait(&set, nullptr, &tick);
  }
}

/// The program's process, up to where it is the program. It does not outlive its guardian, however
/// that ends.
[[noreturn]] void become(std::vector<char*>& words, std::vector<char*>& environment, pid_t guardian,
                         int failed) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int signal = 1; signal < NSIG; ++signal) {
    ::signal(signal, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (::getppid() == guardian) {
    ::execvpe(words.front(), words.data(), environment.data());
  } else {
    errno = ESRCH;
  }
  const int problem = errno;
  [[maybe_unused]] const ssize_t told = ::write(failed, &problem, sizeof(problem));
  ::_exit(1);
}

/// Starts the program in a group of its own; the system's error where it cannot be started.
int start(std::vector<char*>& words, std::vector<char*>& environment, pid_t& program) {
  Pipe failed;
  const pid_t guardian = ::getpid();
  program = failed.open ? ::fork() : -1;
  if (program < 0) {
    return errno;
  }
  if (program == 0) {
    become(words, environment, guardian, failed.ends[1]);
  }
  ::setpgid(program, program);
  ::close(failed.take(1));
  int problem = 0;
  return ::read(failed.ends[0], &problem, sizeof(problem)) == sizeof(problem) ? problem : 0;
}

/// A guardian's life.
[[noreturn]] void guard(std::vector<char*> words, std::vector<char*> environment, Pipes& pipes,
                        pid_t parent) {
  const sigset_t set = awaited();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::setsid();  // Ctrl-C in a terminal is for the parent, who ends what it began
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // First out of the way of the numbers that the ends get.
  constexpr int kAbove = 16;
  const int end = ::fcntl(pipes.end.ends[1], F_DUPFD, kAbove);
  const int to = ::fcntl(pipes.to.ends[0], F_DUPFD, kAbove);
  const int from = ::fcntl(pipes.from.ends[1], F_DUPFD, kAbove);
  const int errors = ::fcntl(pipes.errors.ends[1], F_DUPFD, kAbove);
  ::dup2(to, STDIN_FILENO);
  ::dup2(from, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  ::dup2(end, kEndFile);
  ::fcntl(kEndFile, F_SETFD, FD_CLOEXEC);
  ::close_range(kEndFile + 1, ~0U, 0);
  pid_t program = -1;
  const int problem = ::getppid() != parent ? ESRCH : start(words, environment, program);
  if (problem != 0) {
    tell({false, false, problem});
    ::_exit(1);
  }
  // The pipes are the program's now: it alone keeps them open.
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(nothing, file);
  }
  bool ended = false;
  int signal = 0;
  while (!ended && signal != SIGTERM && signal != SIGQUIT) {
    signal = ::sigwaitinfo(&set, nullptr);
    ended = account_zombie(program).program;
  }
  if (!ended && signal != SIGQUIT) {
    ::kill(-program, SIGTERM);
    constexpr int kTicks = 50;
    for (int i = 0; i < kTicks && !account_zombie(program).program; ++i) {
      constexpr long kTick = 20'000'000;
      const timespec tick{.tv_sec = 0, .tv_nsec = kTick};
      ::sigtimedwait(&set, nullptr, &tick);
    }
  }
  kill_all(program);
  ::_exit(0);
}

}  // namespace

std::string ProgramEnd::words() const {
  if (!started) {
    return fmt::format("cannot be started: {}", std::strerror(code));
  }
  return killed ? fmt::format("was killed by signal {} ({})", code, strsignal(code))
                : fmt::format("ended with exit code {}", code);
}

std::variant<Guarded, std::string> start_guarded(const std::vector<std::string>& words,
                                                 const std::vector<std::string>& environment) {
  Pipes pipes;
  if (!pipes.to.open || !pipes.from.open || !pipes.errors.open || !pipes.end.open) {
    return fmt::format("no pipe can be made: {}", std::strerror(errno));
  }
  std::vector<std::string> own_words = words;
  std::vector<std::string> own_environment = environment;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    return fmt::format("no process can be made: {}", std::strerror(errno));
  }
  if (child == 0) {
    guard(pointers_to(own_words), pointers_to(own_environment), pipes, parent);
  }
  Guarded guarded{child, pipes.to.take(1), pipes.from.take(0), pipes.errors.take(0),
                  pipes.end.take(0)};
  for (const int file : {guarded.to, guarded.from, guarded.errors}) {
    ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL) | O_NONBLOCK);
  }
  return guarded;
}

}  // namespace aftershock::sim
