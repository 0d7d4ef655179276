#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/check/report.h"
#include "reports/results/margin.h"
#include "sim/scenario/read/read.h"
#include "sim/sweep/plan.h"

namespace aftershock::sim::check {

/// A scenario as it is checked: a cell of the plan each.
struct CheckedScenario {
  std::string path;  ///< plain_path
  std::string name;
  std::string policy;   ///< of its first job
  std::string variant;  ///< the name of --policy; empty: jobs have their own
  std::string digest;   ///< reports::scenario_digest
  std::uint32_t seeds = 1;
  bool seeds_said = true;  ///< else how many there are follows from what is random in it
  reports::Margins margins;
  std::vector<scenario::Expression> that;  ///< of its runs together
};

/// Of a scenario whose conditions judge all its seeds together a baseline holds the first ones.
inline constexpr std::uint32_t kComparedSeeds = 4;

/// Seeds of a scenario in which something is random and that does not say how many: one of them
/// says little of the next.
inline constexpr std::uint32_t kRandomSeeds = 8;

/// All that is to be run.
struct CheckPlan {
  sweep::Plan plan;                        ///< its traced rows are what a baseline holds
  std::vector<CheckedScenario> scenarios;  ///< by cell
  std::vector<reports::UnusableFile> unusable;
  std::vector<std::string> warnings;  ///< each once
  std::uint32_t untagged = 0;         ///< scenarios that were left out for their tags
};

/// Which scenarios, and what of them.
struct CheckSelection {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> tags;  ///< one of them is wanted; empty: any
  scenario::ReadOptions options;
};

/// Reads every file once. One that cannot be used stops no other.
CheckPlan make_check_plan(const CheckSelection& selection);

}  // namespace aftershock::sim::check
