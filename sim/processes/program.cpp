#include "sim/processes/program.h"

#include <cerrno>
#include <csignal>
#include <cstddef>

#include <fcntl.h>
#include <unistd.h>

#include "sim/processes/file.h"
#include "sim/processes/process.h"

namespace aftershock::sim::processes {
namespace {

/// A list as exec takes it; the words outlive it.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// A program that is started inherits what is ignored or held back.
void restore_signals(Program::Signals which) {
  if (which == Program::Signals::kAll) {
    for (int signal = 1; signal < NSIG; ++signal) {
      ::signal(signal, SIG_DFL);
    }
  } else {
    ::signal(SIGPIPE, SIG_DFL);
    ::signal(SIGXFSZ, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Out of the way of the numbers that the standard files get.
int copy_above(int file) { return ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1); }

/// Tells its parent the reason where it cannot become the program.
int become(const Program& program, char* const* words, char* const* environment,
           const File& failed) {
  const int told = copy_above(failed.number());
  place_standard_files(program.files);
  restore_signals(program.signals);
  ::execvpe(words[0], words, environment);
  const int problem = errno;
  [[maybe_unused]] const ssize_t written = ::write(told, &problem, sizeof(problem));
  return 1;
}

ProcessEnd not_started(int problem) {
  return {.how = ProcessEnd::How::kNotStarted, .code = problem};
}

}  // namespace

void place_standard_files(const std::array<int, 3>& files) {
  const File nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  std::array<File, 3> copies;
  for (std::size_t i = 0; i < files.size(); ++i) {
    copies[i] = File(copy_above(files[i] < 0 ? nothing.number() : files[i]));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    ::dup2(copies[i].number(), static_cast<int>(i));
  }
}

std::variant<pid_t, ProcessEnd> start_program(const Program& program) {
  auto failed = make_pipe();
  if (!failed) {
    return not_started(errno);
  }
  std::vector<std::string> words = program.words;
  std::vector<std::string> environment = program.environment.value_or(std::vector<std::string>{});
  const std::vector<char*> argv = pointers_to(words);
  const std::vector<char*> envp = pointers_to(environment);
  const pid_t child = start_process({.death_signal = SIGKILL, .own_group = true}, [&] {
    return become(program, argv.data(), program.environment ? envp.data() : ::environ,
                  failed->write);
  });
  if (child < 0) {
    return not_started(errno);
  }
  failed->write.close();
  // The end of the pipe is closed by exec.
  int problem = 0;
  ssize_t got = 0;
  do {
    got = ::read(failed->read.number(), &problem, sizeof(problem));
  } while (got < 0 && errno == EINTR);
  if (got == sizeof(problem)) {
    wait_for(child);
    return not_started(problem);
  }
  return child;
}

}  // namespace aftershock::sim::processes
