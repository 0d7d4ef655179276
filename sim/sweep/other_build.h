#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "reports/results/run_row.h"

// Another build of this program, as a process of its own: what it does, and what its runs come to.
namespace aftershock::sim {

/// How a program that was started ended.
struct ProgramResult {
  int exit_code = 0;   ///< -1: a signal ended it
  std::string out;     ///< standard output
  std::string err;     ///< standard error
  std::string failed;  ///< why it could not be started, or which signal ended it; empty: neither
};

/// Starts the program of this path (one without a slash is looked for in PATH) with these
/// arguments, without a shell, reads what it prints and waits for its end. It has nothing on
/// standard input, and is ended with this process.
ProgramResult run_program(const std::string& program, const std::vector<std::string>& arguments);

/// What to run with another build.
struct OtherRuns {
  std::string program;
  std::string scenario_json;  ///< with everything that is in it; read from a file in `folder`
  std::string name;           ///< of that file
  std::string folder;         ///< for what lies in between; is left as it was
  std::uint64_t first_seed = 1;
  std::uint32_t runs = 1;
  std::uint32_t workers = 1;
};

/// The rows of a sweep by the other build, by replica; in words why there are none.
std::variant<std::vector<reports::RunRow>, std::string> runs_of_other_build(
    const OtherRuns& wanted);

}  // namespace aftershock::sim
