#include "sim/sweep/other_build.h"

#include <gtest/gtest.h>

namespace aftershock::sim {
namespace {

TEST(OtherBuild, IsStartedWithItsWordsAsTheyAre) {
  const ProgramResult done = run_program("printf", {"%s|", "a b", "$HOME", "'\"", ";ls"});
  EXPECT_EQ(done.out, "a b|$HOME|'\"|;ls|");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.failed, "");
}

TEST(OtherBuild, TellsHowItEnded) {
  const ProgramResult three = run_program("sh", {"-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(three.exit_code, 3);
  EXPECT_EQ(three.out, "out\n");
  EXPECT_EQ(three.err, "err\n");
  EXPECT_EQ(run_program("sh", {"-c", "kill -9 $$"}).failed, "ended by signal 9 (Killed)");
  EXPECT_EQ(run_program("/nowhere/aftershock", {}).failed, "No such file or directory");
  EXPECT_EQ(run_program("tests", {}).exit_code, 127);
}

// Both streams are read while it runs: more than a pipe holds on either does not stop it.
TEST(OtherBuild, MayPrintMuch) {
  const ProgramResult done =
      run_program("sh", {"-c", "head -c 300000 /dev/zero >&2; head -c 400000 /dev/zero"});
  EXPECT_EQ(done.err.size(), 300'000U);
  EXPECT_EQ(done.out.size(), 400'000U);
}

TEST(OtherBuild, HasNothingOnStandardInput) { EXPECT_EQ(run_program("cat", {}).out, ""); }

}  // namespace
}  // namespace aftershock::sim
