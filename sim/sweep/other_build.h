#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "reports/results/run_row.h"

// Another build of this program is asked in its own words: it sweeps a scenario, as a process of
// its own, into a file of results.
namespace aftershock::sim::sweep {

/// The sweep to run with another build.
struct OtherSweep {
  std::string program;               ///< its path, or its name in PATH
  std::string scenario;              ///< a file
  std::vector<std::string> options;  ///< more words of the command: "--set", "/a=1"
  std::vector<std::string> pointers;
  std::uint64_t first_seed = 1;
  std::uint32_t runs = 1;
  std::uint32_t workers = 1;
  std::string results;  ///< the file that it writes; it must not be there, and is not left behind
  std::int64_t timeout_s = 3600;
};

/// The outcome of that sweep.
struct OtherRows {
  std::vector<reports::RunRow> rows;  ///< by replica
  std::string version;                ///< of the program, with its commit
};

/// Why there are no runs, or others than asked for.
struct NotRun {
  std::string why;           ///< in words
  bool interrupted = false;  ///< by the user, who asked for no more
};

/// The rows of a sweep by the other build.
std::variant<OtherRows, NotRun> sweep_by_other_build(const OtherSweep& wanted);

}  // namespace aftershock::sim::sweep
