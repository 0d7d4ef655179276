#include "sim/processes/process.h"

#include <cerrno>
#include <csignal>

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

namespace aftershock::sim::processes {
namespace {

constexpr int kPatienceMs = 20'000;

int wait_for_ever() {
  for (;;) {
    ::pause();
  }
}

int exits_with_7() { return 7; }

int kills_itself() {
  ::raise(SIGKILL);
  return 0;
}

TEST(Process, ItsEndIsAValueAndWords) {
  const struct {
    int (*work)();
    ProcessEnd end;
    const char* words;
  } table[] = {
      {exits_with_7, {ProcessEnd::How::kExited, 7}, "ended with exit code 7"},
      {kills_itself, {ProcessEnd::How::kKilled, SIGKILL}, "killed by signal 9 (Killed)"},
  };
  for (const auto& row : table) {
    const pid_t child = start_process({}, row.work);
    ASSERT_GT(child, 0);
    const ProcessEnd end = wait_for(child);
    EXPECT_EQ(end, row.end);
    EXPECT_EQ(words_of(end), row.words);
  }
  EXPECT_EQ(words_of({ProcessEnd::How::kNotStarted, ENOENT}),
            "cannot be started: No such file or directory");
}

TEST(Process, IsWaitedForNoLongerThanAsked) {
  const pid_t child = start_process({}, wait_for_ever);
  ASSERT_GT(child, 0);
  EXPECT_FALSE(look_at(child));
  EXPECT_FALSE(wait_at_most(child, 1));
  EXPECT_EQ(kill_process(child), (ProcessEnd{ProcessEnd::How::kKilled, SIGKILL}));

  const pid_t quick = start_process({}, exits_with_7);
  ASSERT_GT(quick, 0);
  EXPECT_EQ(wait_at_most(quick, kPatienceMs), (ProcessEnd{ProcessEnd::How::kExited, 7}));
}

TEST(Process, CanBeWatched) {
  const pid_t child = start_process({}, wait_for_ever);
  ASSERT_GT(child, 0);
  const File watched = watch(child);
  if (watched.is_open()) {
    pollfd ended{watched.number(), POLLIN, 0};
    EXPECT_EQ(::poll(&ended, 1, 0), 0);
    ::kill(child, SIGTERM);
    EXPECT_EQ(::poll(&ended, 1, kPatienceMs), 1);
  } else {
    ::kill(child, SIGTERM);
  }
  EXPECT_EQ(wait_for(child), (ProcessEnd{ProcessEnd::How::kKilled, SIGTERM}));
}

/// A child whose own child holds the pipe open, and no child of this process.
struct Family {
  Pipe pipe;
  pid_t child = -1;
};

Family start_family(const Birth& first, const Birth& second) {
  Family family{*make_pipe()};
  family.child = start_process(first, [&] {
    const pid_t grandchild = start_process(second, [&] {
      write_all(family.pipe.write, "x");
      return wait_for_ever();
    });
    return grandchild > 0 ? wait_for_ever() : 1;
  });
  family.pipe.write.close();
  char begun = 0;
  EXPECT_EQ(::read(family.pipe.read.number(), &begun, 1), 1);
  return family;
}

TEST(Process, AGroupIsKilledAsOne) {
  const Family family = start_family({.own_group = true}, {});
  EXPECT_EQ(::getpgid(family.child), family.child);
  EXPECT_EQ(kill_group(family.child), (ProcessEnd{ProcessEnd::How::kKilled, SIGKILL}));
  EXPECT_EQ(read_all(family.pipe.read), "");
}

TEST(Process, DiesWithItsParent) {
  const Family family = start_family({}, {.death_signal = SIGKILL});
  kill_process(family.child);
  EXPECT_EQ(read_all(family.pipe.read), "");
}

TEST(Process, AnyChildIsTakenUntilThereIsNone) {
  EXPECT_EQ(look_at_any().child, -1);
  const pid_t child = start_process({}, wait_for_ever);
  ASSERT_GT(child, 0);
  EXPECT_EQ(look_at_any().child, 0);
  ::kill(child, SIGKILL);
  AnyEnd one;
  for (int ms = 0; one.child == 0 && ms < kPatienceMs; ++ms) {
    ::poll(nullptr, 0, 1);
    one = look_at_any();
  }
  EXPECT_EQ(one.child, child);
  EXPECT_EQ(one.end, (ProcessEnd{ProcessEnd::How::kKilled, SIGKILL}));
}

}  // namespace
}  // namespace aftershock::sim::processes
