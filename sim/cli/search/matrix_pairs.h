#pragma once

#include <string>

#include "sim/chaos/pairs.h"
#include "sim/cli/search/matrix_outputs.h"
#include "sim/cli/search/search_runs.h"

namespace aftershock::sim::cli {

/// The request of `matrix --pairs`.
struct PairArguments {
  SearchArguments search;
  std::string path;     ///< of the scenario
  std::string options;  ///< that make it another one, as a shell takes them
  MatrixOutputs outputs;
  bool json = false;
  bool quiet = false;
};

/// Runs the pairs, tells what came of it, and writes the outputs. The exit code.
int run_pairs_command(const PairArguments& arguments, const chaos::PairPlan& plan);

/// Prints the scenario of the pair with that id. The exit code.
int print_pair(const std::string& id, const chaos::PairPlan& plan);

}  // namespace aftershock::sim::cli
