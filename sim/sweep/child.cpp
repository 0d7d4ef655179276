#include "sim/sweep/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aftershock::sim {
namespace {

constexpr std::size_t kErrorsMax = 4096;
constexpr int kLookMs = 20;

/// The child's half: becomes the program, or says why not.
[[noreturn]] void become(const std::vector<std::string>& words, int errors, int failed,
                         pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);  // it is dead already
  }
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::dup2(errors, STDERR_FILENO);
  // A program that is started inherits what is ignored or held back.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::vector<std::string> storage = words;
  std::vector<char*> arguments;
  for (std::string& word : storage) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  ::execvp(arguments.front(), arguments.data());
  const int why = errno;
  [[maybe_unused]] const ssize_t told = ::write(failed, &why, sizeof(why));
  ::_exit(1);
}

/// Takes what there is to read, within a tick; false at the end.
bool take(int file, std::string& text) {
  pollfd waiting{.fd = file, .events = POLLIN, .revents = 0};
  if (::poll(&waiting, 1, kLookMs) <= 0) {
    return true;
  }
  std::array<char, 4096> bytes{};
  const ssize_t got = ::read(file, bytes.data(), bytes.size());
  if (got > 0) {
    text.append(bytes.data(), static_cast<std::size_t>(got));
    if (text.size() > 2 * kErrorsMax) {
      text.erase(0, text.size() - kErrorsMax);
    }
  }
  return got > 0 || (got < 0 && errno == EINTR);
}

/// SIGINT and SIGTERM while they are held back: whether one of them came.
int stop_asked() {
  sigset_t stops;
  sigemptyset(&stops);
  sigaddset(&stops, SIGINT);
  sigaddset(&stops, SIGTERM);
  const timespec at_once{};
  return std::max(0, ::sigtimedwait(&stops, nullptr, &at_once));
}

/// Holds them back while it lives.
class HeldBack {
 public:
  HeldBack() {
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &stops, &before_);
  }
  HeldBack(const HeldBack&) = delete;
  HeldBack& operator=(const HeldBack&) = delete;
  ~HeldBack() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Waits for a process that was started; its standard error is read meanwhile.
ChildEnd wait_for(pid_t child, int errors, std::int64_t timeout_s) {
  ChildEnd end;
  bool open = true;
  // The wait is counted in looks, so that no clock is needed.
  std::int64_t left = timeout_s * 1000 / kLookMs;
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (const int asked = stop_asked(); asked != 0) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      end.how = ChildEnd::How::kInterrupted;
      end.code = asked;
      return end;
    }
    if (--left < 0) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
      end.how = ChildEnd::How::kTimedOut;
      end.code = static_cast<int>(timeout_s);
      return end;
    }
    if (open) {
      open = take(errors, end.errors);
    } else {
      ::poll(nullptr, 0, kLookMs);
    }
  }
  // The last output is read; a program that left others behind that hold its error open is not
  // waited for.
  for (std::size_t size = end.errors.size() + 1; open && size != end.errors.size();) {
    size = end.errors.size();
    open = take(errors, end.errors);
  }
  end.how = WIFSIGNALED(status) ? ChildEnd::How::kKilled : ChildEnd::How::kExited;
  end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  ::kill(-child, SIGKILL);
  return end;
}

}  // namespace

std::string ChildEnd::words() const {
  std::string last = errors.substr(0, errors.find_last_not_of(" \n\r\t") + 1);
  last.erase(0, last.size() > 500 ? last.size() - 500 : 0);
  const std::string said = last.empty() ? "" : ": " + last;
  switch (how) {
    case How::kExited:
      return fmt::format("ended with exit code {}{}", code, said);
    case How::kKilled:
      return fmt::format("killed by signal {} ({}){}", code, strsignal(code), said);
    case How::kTimedOut:
      return fmt::format("not done after {} s, and killed", code);
    case How::kInterrupted:
      return fmt::format("interrupted ({})", strsignal(code));
    case How::kNotStarted:
      break;
  }
  return fmt::format("cannot be started: {}", std::strerror(code));
}

ChildEnd run_child(const std::vector<std::string>& words, std::int64_t timeout_s) {
  std::array<int, 2> errors{};
  std::array<int, 2> failed{};
  if (::pipe2(errors.data(), O_CLOEXEC) != 0 || ::pipe2(failed.data(), O_CLOEXEC) != 0) {
    return {.how = ChildEnd::How::kNotStarted, .code = errno, .errors = {}};
  }
  const HeldBack held_back;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become(words, errors[1], failed[1], parent);
  }
  const int no_fork = errno;
  ::close(errors[1]);
  ::close(failed[1]);
  ChildEnd end{.how = ChildEnd::How::kNotStarted, .code = no_fork, .errors = {}};
  int why = 0;
  if (child > 0) {
    const bool not_started = ::read(failed[0], &why, sizeof(why)) == sizeof(why);
    if (not_started) {
      ::waitpid(child, nullptr, 0);
      end.code = why;
    } else {
      end = wait_for(child, errors[0], timeout_s);
    }
  }
  ::close(errors[0]);
  ::close(failed[0]);
  return end;
}

}  // namespace aftershock::sim
