#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/results/comparison.h"
#include "sim/cli/many/sweep_request.h"

namespace aftershock::sim::cli {

/// The arguments of `aftershock compare`, as they were written.
struct CompareArguments {
  std::vector<std::string> paths;  ///< a scenario, or two recordings
  SweepArguments sweep;
  std::vector<std::string> policies;
  std::string goal;
  std::string pair;
  std::string against;
  std::string timeout;
};

/// The same of a scenario, understood.
struct CompareRequest {
  SweepRequest sweep;
  std::string goal;                        ///< a metric's name, or a pointer
  std::optional<std::uint32_t> replica;    ///< the run whose decisions are compared
  std::vector<reports::StartCosts> costs;  ///< by cell, or empty
  std::vector<std::string> moving_faults;
  reports::History history = reports::History::kOne;  ///< of the cell whose runs differ most
  std::vector<std::string> assumed;   ///< assumptions about the cells, in lines, each once
  std::vector<std::string> settings;  ///< of the policy of each cell; empty: they are alike
};

/// None, with a word on standard error, where something is wrong with it.
std::optional<CompareRequest> understood(const CompareArguments& arguments);

/// `compare A.aftershock B.aftershock`; the exit code.
int compare_recordings(const CompareArguments& arguments);
/// `compare SCENARIO --against PATH`; the exit code.
int compare_builds(const CompareArguments& arguments);

}  // namespace aftershock::sim::cli
