#include "sim/sweep/other_build.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/results/run_store.h"

namespace aftershock::sim {
namespace {

struct Pipe {
  int read = -1;
  int write = -1;

  bool open() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      return false;
    }
    read = ends[0];
    write = ends[1];
    return true;
  }
  ~Pipe() {
    close_end(read);
    close_end(write);
  }
  static void close_end(int& end) {
    if (end >= 0) {
      ::close(end);
      end = -1;
    }
  }
};

/// In the child. What does not work shows as bytes of errno in `failure`.
[[noreturn]] void become(std::vector<char*>& words, const Pipe& out, const Pipe& err, int failure,
                         pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) {
    ::_exit(1);
  }
  // What this process ignores or holds back would hold for the program as well.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(out.write, STDOUT_FILENO);
  ::dup2(err.write, STDERR_FILENO);
  ::execvp(words.front(), words.data());
  const int problem = errno;
  [[maybe_unused]] const ssize_t told = ::write(failure, &problem, sizeof(problem));
  ::_exit(127);
}

/// Takes what both pipes give until they are closed.
void drain(Pipe& out, Pipe& err, ProgramResult& result) {
  std::array<pollfd, 2> ends{{{out.read, POLLIN, 0}, {err.read, POLLIN, 0}}};
  const std::array<std::string*, 2> texts{&result.out, &result.err};
  std::array<char, 65536> buffer{};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) {
      return;
    }
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) {
        continue;
      }
      const ssize_t got = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
      } else if (got == 0 || errno != EINTR) {
        ends[i].fd = -1;
      }
    }
  }
}

}  // namespace

ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments) {
  ProgramResult result;
  std::vector<std::string> storage{program};
  storage.insert(storage.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (std::string& word : storage) {
    words.push_back(word.data());
  }
  words.push_back(nullptr);
  Pipe out;
  Pipe err;
  Pipe failure;
  const bool opened = out.open() && err.open() && failure.open();
  const pid_t parent = ::getpid();
  const pid_t child = opened ? ::fork() : -1;
  if (child < 0) {
    result.failed = std::strerror(errno);
    return result;
  }
  if (child == 0) {
    become(words, out, err, failure.write, parent);
  }
  Pipe::close_end(out.write);
  Pipe::close_end(err.write);
  Pipe::close_end(failure.write);
  int problem = 0;
  if (::read(failure.read, &problem, sizeof(problem)) == sizeof(problem)) {
    result.failed = std::strerror(problem);
  }
  drain(out, err, result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (WIFSIGNALED(status)) {
    result.failed =
        fmt::format("ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  return result;
}

namespace {

/// The last line that a program said, for words.
std::string last_line(std::string text) {
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text.substr(text.rfind('\n') + 1);
}

std::variant<std::vector<reports::RunRow>, std::string> rows_in(const std::string& path) {
  auto opened = reports::RunReader::open(path);
  if (auto* problem = std::get_if<std::string>(&opened)) {
    return std::move(*problem);
  }
  std::vector<reports::RunRow> rows;
  auto& reader = std::get<reports::RunReader>(opened);
  if (auto problem = reader.each([&rows](reports::RunRow&& row) {
        rows.push_back(std::move(row));
        return true;
      })) {
    return *std::move(problem);
  }
  return rows;
}

}  // namespace

std::variant<std::vector<reports::RunRow>, std::string> runs_of_other_build(
    const OtherRuns& wanted) {
  namespace fs = std::filesystem;
  const fs::path scenario = fs::path(wanted.folder) / (wanted.name + ".json");
  const fs::path results = fs::path(wanted.folder) / (wanted.name + ".sqlite");
  std::ofstream(scenario) << wanted.scenario_json;
  const ProgramResult done =
      run_program(wanted.program,
                  {"sweep", scenario.string(), "--out", results.string(), "--seed",
                   fmt::format("{}", wanted.first_seed), "--runs", fmt::format("{}", wanted.runs),
                   "--jobs", fmt::format("{}", wanted.workers), "--quiet"});
  std::error_code gone;
  std::variant<std::vector<reports::RunRow>, std::string> rows;
  if (!done.failed.empty()) {
    rows = fmt::format("{}: {}", wanted.program, done.failed);
  } else if (!fs::exists(results, gone)) {
    const std::string said = last_line(done.err);
    rows = fmt::format("{}: made no runs of it (exit code {}){}{}", wanted.program, done.exit_code,
                       said.empty() ? "" : ": ", said);
  } else {
    rows = rows_in(results.string());
    const auto* made = std::get_if<0>(&rows);
    if (made != nullptr && made->size() != wanted.runs) {
      rows = fmt::format("{}: made {} of {} runs: {}", wanted.program, made->size(), wanted.runs,
                         last_line(done.err));
    }
  }
  fs::remove(scenario, gone);
  fs::remove(results, gone);
  return rows;
}

}  // namespace aftershock::sim
