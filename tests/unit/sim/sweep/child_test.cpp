#include "sim/sweep/child.h"

#include <gtest/gtest.h>

namespace aftershock::sim::sweep {
namespace {

constexpr std::int64_t kLongS = 60;

TEST(Child, TellsHowItEnded) {
  struct Row {
    std::vector<std::string> words;
    std::string told;
  };
  const Row rows[] = {
      {{"true"}, "ended with exit code 0"},
      {{"sh", "-c", "echo out; echo err >&2; exit 3"}, "ended with exit code 3: err"},
      {{"sh", "-c", "kill -9 $$"}, "killed by signal 9 (Killed)"},
      {{"/nowhere/aftershock"}, "cannot be started: No such file or directory"},
      {{"/"}, "cannot be started: Permission denied"},
      // No shell between: words arrive as they are.
      {{"sh", "-c", "printf '%s|' \"$@\" >&2", "sh", "a b", "$HOME", ";ls"},
       "ended with exit code 0: a b|$HOME|;ls|"},
      // Nothing is on standard input.
      {{"sh", "-c", "cat >&2"}, "ended with exit code 0"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(run_child(row.words, kLongS).words(), row.told) << row.words.front();
  }
}

TEST(Child, MayPrintMoreThanAPipeHolds) {
  const ChildEnd end =
      run_child({"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 400000 /dev/zero"}, kLongS);
  EXPECT_EQ(end.how, ChildEnd::How::kExited);
  EXPECT_EQ(end.code, 0);
}

TEST(Child, IsKilledWithItsOwnWhenItTakesTooLong) {
  const ChildEnd end = run_child({"sh", "-c", "sleep 600 & wait"}, 1);
  EXPECT_EQ(end.words(), "not done after 1 s, and killed");
}

}  // namespace
}  // namespace aftershock::sim::sweep
