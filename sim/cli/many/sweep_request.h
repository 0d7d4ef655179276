#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/scenario_options.h"
#include "sim/scenario/expression.h"
#include "sim/sweep/keep.h"
#include "sim/sweep/plan.h"
#include "sim/sweep/schedule.h"

namespace aftershock::sim::cli {

/// The arguments of `aftershock sweep`, as they were written.
struct SweepArguments {
  std::string path;
  ScenarioOptions scenario;
  std::string out;
  std::string runs;
  std::vector<std::string> vary;
  std::string where;
  std::string until;
  std::string keep;
  std::vector<std::string> metrics;
  std::string jobs;
  std::string shard;
  bool resume = false;
  bool rare = false;
  std::string rare_job;
  std::string effort;
  std::string repetitions;
  std::string merge_out;
  std::vector<std::string> merge_in;
};

/// The same, understood.
struct SweepRequest {
  sweep::Plan plan;
  sweep::Shard shard;
  std::uint32_t workers = 1;
  std::optional<scenario::Expression> until;
  std::optional<sweep::Keep> keep;
};

/// None, with a word on standard error, where something is wrong with it. Each of `bases` is
/// combined with everything that is varied.
std::optional<SweepRequest> understood(const SweepArguments& arguments,
                                       const std::vector<sweep::Point>& bases = {{}});

/// `sweep --rare`: prints the probability that a job's retries are exhausted; the exit code.
int run_rare(const SweepArguments& arguments);

}  // namespace aftershock::sim::cli
