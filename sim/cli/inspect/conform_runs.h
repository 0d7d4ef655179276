#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/inspect/conform_request.h"
#include "sim/conform/comparison.h"

namespace aftershock::sim::cli {

/// A profile of the port, and in how many of the runs that differ it does what the installed code
/// does.
struct ProfileFit {
  std::string profile;
  std::size_t agree = 0;
};

/// The outcome of all runs.
struct ConformRuns {
  int code = 0;  ///< not 0: they are not all there, and standard error has a word about it
  std::vector<conform::ComparedRun> runs;  ///< by case and seed
  std::vector<conform::View> installed;    ///< of each run that differs, or of all; else null
  std::vector<std::string> digests;        ///< of the scenarios or sequences, by run
};

/// The scenario of the case and, where it has several runs, the seed, sequence or cell of this one.
std::string run_words(const conform::Case& one, std::uint64_t seed);

/// Runs every case with each of its seeds under both. Says on standard error, before it begins,
/// where that will take over a minute.
ConformRuns run_both(const ConformRequest& request);

/// Runs the port's other profiles on these runs, the best first. A profile that refuses a scenario
/// does not agree there. None where they were interrupted, which is said.
std::optional<std::vector<ProfileFit>> try_profiles(const ConformRequest& request,
                                                    const ConformRuns& made,
                                                    const std::vector<std::size_t>& differ);

}  // namespace aftershock::sim::cli
