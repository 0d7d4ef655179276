#include "sim/processes/program.h"

#include <csignal>
#include <string>
#include <variant>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/processes/file.h"
#include "sim/processes/process.h"

namespace aftershock::sim::processes {
namespace {

/// The standard output of a program that reads nothing, and how it ended.
std::string output_of(Program program) {
  auto pipe = make_pipe();
  EXPECT_TRUE(pipe);
  program.files[1] = pipe->write.number();
  const auto started = start_program(program);
  pipe->write.close();
  if (const auto* never = std::get_if<ProcessEnd>(&started)) {
    return words_of(*never);
  }
  const std::string text = read_all(pipe->read);
  const ProcessEnd end = wait_for(std::get<pid_t>(started));
  return end == ProcessEnd{} ? text : text + words_of(end);
}

TEST(Program, HasTheWordsEnvironmentAndFilesThatItIsGiven) {
  const struct {
    Program program;
    std::string said;
  } table[] = {
      {{.words = {"sh", "-c", "printf '%s|' \"$@\"", "sh", "a b", "$HOME", ";ls", ""}},
       "a b|$HOME|;ls||"},
      {{.words = {"env"}, .environment = {{"ONE=1", "TWO=a b"}}}, "ONE=1\nTWO=a b\n"},
      {{.words = {"env"}, .environment = std::vector<std::string>{}}, ""},
      {{.words = {"sh", "-c", "test -n \"$PATH\" && echo inherited"}}, "inherited\n"},
      {{.words = {"sh", "-c", "cat; echo lost >&2; echo read"}}, "read\n"},
      // It leads a process group.
      {{.words = {"sh", "-c", "set -- $(cat /proc/$$/stat); test $1 = $5 && echo leads"}},
       "leads\n"},
      {{.words = {"sh", "-c", "exit 3"}}, "ended with exit code 3"},
      {{.words = {"sh", "-c", "kill -9 $$"}}, "killed by signal 9 (Killed)"},
      {{.words = {"/nowhere/program"}}, "cannot be started: No such file or directory"},
      {{.words = {"/"}}, "cannot be started: Permission denied"},
  };
  for (const auto& row : table) {
    EXPECT_EQ(output_of(row.program), row.said) << row.program.words.back();
  }
}

TEST(Program, InheritsNoPipeOfOurs) {
  const auto other = make_pipe();
  ASSERT_TRUE(other);
  for (const File* file : {&other->read, &other->write}) {
    const std::string commands =
        "test -e /proc/$$/fd/" + std::to_string(file->number()) + " || echo none";
    EXPECT_EQ(output_of({.words = {"sh", "-c", commands}}), "none\n");
  }
}

TEST(Program, ReadsWhatItIsSent) {
  auto to = make_pipe();
  ASSERT_TRUE(to);
  auto from = make_pipe();
  ASSERT_TRUE(from);
  const auto started = start_program(
      {.words = {"tr", "a-z", "A-Z"}, .files = {to->read.number(), from->write.number(), -1}});
  ASSERT_TRUE(std::holds_alternative<pid_t>(started));
  to->read.close();
  from->write.close();
  EXPECT_TRUE(write_all(to->write, "word"));
  to->write.close();
  EXPECT_EQ(read_all(from->read), "WORD");
  EXPECT_EQ(wait_for(std::get<pid_t>(started)), ProcessEnd{});
}

TEST(Program, SignalsTakeEffectAgain) {
  sigset_t held;
  sigset_t before;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  sigprocmask(SIG_BLOCK, &held, &before);
  const auto pipe_before = std::signal(SIGPIPE, SIG_IGN);
  const auto hang_up_before = std::signal(SIGHUP, SIG_IGN);
  using Signals = Program::Signals;
  const struct {
    const char* name;
    Signals signals;
    const char* said;
  } table[] = {
      {"TERM", Signals::kOurs, "killed by signal 15 (Terminated)"},
      {"PIPE", Signals::kOurs, "killed by signal 13 (Broken pipe)"},
      {"PIPE", Signals::kAll, "killed by signal 13 (Broken pipe)"},
      {"HUP", Signals::kOurs, "survived\n"},
      {"HUP", Signals::kAll, "killed by signal 1 (Hangup)"},
  };
  for (const auto& row : table) {
    const std::string commands = std::string("kill -") + row.name + " $$; echo survived";
    EXPECT_EQ(output_of({.words = {"sh", "-c", commands}, .signals = row.signals}), row.said)
        << row.name;
  }
  std::signal(SIGHUP, hang_up_before);
  std::signal(SIGPIPE, pipe_before);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

TEST(Program, StandardFilesMayChangePlaces) {
  auto pipe = make_pipe();
  ASSERT_TRUE(pipe);
  const pid_t child = start_process({}, [&] {
    // Output and error are exchanged, while the numbers are those of each other.
    place_standard_files({-1, pipe->write.number(), -1});
    place_standard_files({-1, 2, 1});
    const bool said = ::write(2, "error", 5) == 5 && ::write(1, "nothing", 7) == 7;
    return said && (::fcntl(2, F_GETFD) & FD_CLOEXEC) == 0 ? 0 : 1;
  });
  pipe->write.close();
  EXPECT_EQ(read_all(pipe->read), "error");
  EXPECT_EQ(wait_for(child), ProcessEnd{});
}

}  // namespace
}  // namespace aftershock::sim::processes
