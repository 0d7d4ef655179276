#include "sim/control/external/guardian.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sim/processes/process.h"
#include "sim/processes/program.h"

namespace aftershock::sim::control {
namespace {

/// Where the guardian keeps the pipe for the program's end.
constexpr int kEndFile = STDERR_FILENO + 1;

/// To and from the program, and from its guardian.
struct Pipes {
  processes::Pipe to;
  processes::Pipe from;
  processes::Pipe errors;
  processes::Pipe end;
};

std::optional<Pipes> make_pipes() {
  std::array<std::optional<processes::Pipe>, 4> made;
  for (auto& pipe : made) {
    pipe = processes::make_pipe();
    if (!pipe) {
      return std::nullopt;
    }
  }
  auto& [to, from, errors, end] = made;
  return Pipes{*std::move(to), *std::move(from), *std::move(errors), *std::move(end)};
}

sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGQUIT);
  sigaddset(&set, SIGCHLD);
  return set;
}

void tell(const processes::ProcessEnd& end) {
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
    const processes::AnyEnd one = processes::look_at_any();
    if (one.child <= 0) {
      buried.all = one.child < 0;
      return buried;
    }
    if (one.child == program) {
      tell(one.end);
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

/// Until the program has ended, or shall; then all that is left is ended.
void stand_by(pid_t program, const sigset_t& set) {
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
}

/// A guardian's life.
int guard(processes::Program program, const Pipes& pipes, pid_t parent) {
  const sigset_t set = awaited();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  ::setsid();  // Ctrl-C in a terminal is for the parent, who ends what it began
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (!processes::die_with(parent, SIGTERM)) {
    return 1;
  }
  // First out of the way of the numbers that the ends get.
  constexpr int kAbove = 16;
  const int end = ::fcntl(pipes.end.write.number(), F_DUPFD, kAbove);
  processes::place_standard_files(
      {pipes.to.read.number(), pipes.from.write.number(), pipes.errors.write.number()});
  ::dup2(end, kEndFile);
  ::fcntl(kEndFile, F_SETFD, FD_CLOEXEC);
  ::close_range(kEndFile + 1, ~0U, 0);
  program.files = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  program.signals = processes::Program::Signals::kAll;
  const auto started = processes::start_program(program);
  if (const auto* never = std::get_if<processes::ProcessEnd>(&started)) {
    tell(*never);
    return 1;
  }
  // The pipes are the program's now: it alone keeps them open.
  processes::place_standard_files({-1, -1, -1});
  stand_by(std::get<pid_t>(started), set);
  return 0;
}

}  // namespace

std::variant<Guarded, std::string> start_guarded(const std::vector<std::string>& words,
                                                 const std::vector<std::string>& environment) {
  auto pipes = make_pipes();
  if (!pipes) {
    return fmt::format("no pipe can be made: {}", std::strerror(errno));
  }
  const pid_t parent = ::getpid();
  const pid_t child = processes::start_process(
      {}, [&] { return guard({.words = words, .environment = environment}, *pipes, parent); });
  if (child < 0) {
    return fmt::format("no process can be made: {}", std::strerror(errno));
  }
  Guarded guarded{child, std::move(pipes->to.write), std::move(pipes->from.read),
                  std::move(pipes->errors.read), std::move(pipes->end.read)};
  for (const processes::File* file : {&guarded.to, &guarded.from, &guarded.errors}) {
    ::fcntl(file->number(), F_SETFL, ::fcntl(file->number(), F_GETFL) | O_NONBLOCK);
  }
  return guarded;
}

}  // namespace aftershock::sim::control
