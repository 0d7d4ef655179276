#include "sim/sweep/other_build.h"

#include <filesystem>

#include <gtest/gtest.h>

namespace aftershock::sim::sweep {
namespace {

// Runs of another build are tested with real builds: tests/cli/compare.py and check.py.
TEST(OtherBuild, SaysWhyThereAreNoRuns) {
  const std::string results = testing::TempDir() + "other_build_test.sqlite";
  const auto problem_of = [&results](const std::string& program) {
    return std::get<NotRun>(sweep_by_other_build({.program = program,
                                                  .scenario = "a.json",
                                                  .options = {},
                                                  .pointers = {},
                                                  .results = results}))
        .why;
  };
  EXPECT_EQ(problem_of("/nowhere/aftershock"), "cannot be started: No such file or directory");
  EXPECT_EQ(problem_of("true"), "ended with exit code 0, and left no results");
  EXPECT_EQ(problem_of("false"), "ended with exit code 1, and left no results");
  EXPECT_FALSE(std::filesystem::exists(results));
}

}  // namespace
}  // namespace aftershock::sim::sweep
